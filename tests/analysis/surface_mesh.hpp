// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace setka::test {

using Point = std::array<double, 3>;

/// Triangles or quadrilaterals over patches of (0, 1) x (0, 1), with nodes by place. type: "S8R", "CPS3", ...
class Surface {
 public:
  explicit Surface(std::string type) : type_(std::move(type)) {
    const char nodes = type_.back() == 'R' ? type_[type_.size() - 2] : type_.back();
    triangles_ = nodes == '3' || nodes == '6';
    quadratic_ = nodes == '6' || nodes == '8';
  }

  bool quadratic() const { return quadratic_; }

  void add(int along, int across, const std::function<Point(double, double)>& place) {
    const int m = quadratic_ ? 2 : 1;
    for (int j = 0; j < across; ++j) {
      for (int i = 0; i < along; ++i) {
        const auto node = [&](int a, int b) {
          return number(place(static_cast<double>(m * i + a) / (m * along),
                              static_cast<double>(m * j + b) / (m * across)));
        };
        if (triangles_) {
          std::vector<int> below{node(0, 0), node(m, 0), node(m, m)};
          if (quadratic_) below.insert(below.end(), {node(1, 0), node(2, 1), node(1, 1)});
          add_element(below);
          std::vector<int> above{node(0, 0), node(m, m), node(0, m)};
          if (quadratic_) above.insert(above.end(), {node(1, 1), node(1, 2), node(0, 1)});
          add_element(above);
          continue;
        }
        std::vector<int> nodes{node(0, 0), node(m, 0), node(m, m), node(0, m)};
        if (quadratic_) nodes.insert(nodes.end(), {node(1, 0), node(2, 1), node(1, 2), node(0, 1)});
        add_element(nodes);
      }
    }
  }

  /// A node set of those that fit.
  void set(const std::string& name, const std::function<bool(const Point&)>& fits) {
    sets_ += "*NSET,NSET=" + name + "\n";
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (fits(nodes_[n])) sets_ += std::to_string(n + 1) + "\n";
    }
  }

  int number(const Point& x) {
    const auto key = [](double v) { return std::lround(v * 1e6); };
    const auto [at, is_new] = numbers_.try_emplace({key(x[0]), key(x[1]), key(x[2])}, nodes_.size() + 1);
    if (is_new) nodes_.push_back(x);
    return static_cast<int>(at->second);
  }

  const std::vector<Point>& nodes() const { return nodes_; }

  std::string text() const {
    std::string text = "*NODE,NSET=NALL\n";
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      text += fmt::format("{},{:.14g},{:.14g},{:.14g}\n", n + 1, nodes_[n][0], nodes_[n][1], nodes_[n][2]);
    return text + "*ELEMENT,TYPE=" + type_ + ",ELSET=E\n" + elements_ + sets_;
  }

 private:
  void add_element(const std::vector<int>& nodes) {
    elements_ += std::to_string(++count_);
    for (const int n : nodes) elements_ += "," + std::to_string(n);
    elements_ += "\n";
  }

  std::string type_;
  bool triangles_ = false;
  bool quadratic_ = false;
  std::map<std::array<long, 3>, std::size_t> numbers_;
  std::vector<Point> nodes_;
  std::string elements_;
  std::string sets_;
  int count_ = 0;
};

}  // namespace setka::test
