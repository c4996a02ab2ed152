// judge: game=agamemnon
// A bot for Agamemnon in C++.
#include "bot.h"
#include <map>

class MyBot : public Bot {
    // The empty nodes, and for each the nodes at the other ends of its edges.
    std::map<std::string, std::vector<std::string>> nodes;
    // Your letter on tiles: `O` or `B`.
    char me = 'O';

    // YOUR STRATEGY: how good it is to place a tile of this kind (`a` to `j`) on this node. The best
    // empty node is taken.
    int value(char kind, const std::string& node) {
        int edges = int(nodes[node].size());
        return kind == 'i' || kind == 'j' ? -edges : edges;
    }

    // A Weft (`i`) or Warp (`j`) was drawn: do you put it back for another tile?
    bool putBack(char kind) { return kind == 'i'; }

    // What follows talks with the judge. `log("…")` writes to your log.

    void notice(const std::string& line) override {
        if (words(line)[0] == "game") me = words(line)[3] == "1" ? 'O' : 'B';
    }

    std::string answer(const std::string& question) override {
        std::vector<std::string> parts = words(question);
        if (parts[0] == "redraw?") return putBack(parts[1][0]) ? "yes" : "no";
        read(parts[2], parts[3]);
        std::string action;
        for (char kind : parts[1]) action += place(kind);
        return action;
    }

    std::string place(char kind) {
        std::string best;
        for (const auto& [node, ends] : nodes) {
            if (best.empty() || value(kind, node) > value(kind, best)) best = node;
        }
        std::string placed = std::string(1, me) + kind + best;
        // A Warp exchanges the types of two edges at its node; the same edge twice changes nothing.
        if (kind == 'j') placed += nodes[best][0] + nodes[best][0];
        nodes.erase(best);
        return placed;
    }

    void read(const std::string& tiles, const std::string& edges) {
        nodes.clear();
        for (std::size_t at = 0; at + 5 <= edges.size(); at += 5) {
            std::string one = edges.substr(at + 1, 2), two = edges.substr(at + 3, 2);
            nodes[one].push_back(two);
            nodes[two].push_back(one);
        }
        for (std::size_t at = 0; at + 4 <= tiles.size(); at += 4) nodes.erase(tiles.substr(at + 2, 2));
    }
};
