// judge: game=mahjong
#include <iostream>
#include <sstream>
#include <string>
int main() {
    std::string line, drawn;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line); std::string first; words >> first;
        if (first == "draw") words >> drawn;
        if (first == "discard?") std::cout << drawn << "\n";
        if (first == "win?") std::cout << "yes\n";
    }
}
