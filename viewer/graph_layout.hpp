// Where to draw the nodes of a graph so that distances in space are like distances in the graph.
//
// Pivot MDS (Brandes, Pich 2007): from a few pivots far from each other the distances δ to all nodes are counted; C, the matrix of −δ²/2
// centred by rows and columns, has as its leading left singular vectors the coordinates. Time O(p (n + m)) for p pivots.
#pragma once

#include <span>
#include <vector>

namespace stickslip::viewer {

/// Neighbours of node i are column[row_start[i]] … The graph is taken as undirected; `nodes` must be connected. Returns three coordinates of
/// each of them, the mean distance of neighbours being about 1; the same for the same graph.
std::vector<float> lay_out_connected(std::span<const int> row_start, std::span<const int> column,
                                     std::span<const int> nodes);

}  // namespace stickslip::viewer
