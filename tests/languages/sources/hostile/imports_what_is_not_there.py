# Runtime error: ImportError: no module named 'socket'
# judge: game=mahjong
import socket
