module judgebot

go 1.21
