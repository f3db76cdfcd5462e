// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include <petscksp.h>

namespace setka::petsc {

/// Throws Error(Fault::resource or Fault::internal) with what PETSc says where a call of it has failed.
void check(PetscErrorCode status, const char* what);

#define SETKA_PETSC(call) ::setka::petsc::check((call), #call)

/// PETSc's objects are ended with their owner.
template <class T, PetscErrorCode (*End)(T*)>
class Object {
 public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  Object(Object&& other) noexcept : own_(std::exchange(other.own_, nullptr)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(own_, other.own_);
    return *this;
  }
  ~Object() {
    if (own_ != nullptr) (void)End(&own_);
  }

  operator T() const { return own_; }
  T* out() { return &own_; }

 private:
  T own_ = nullptr;
};

using Matrix = Object<Mat, MatDestroy>;
using Vector = Object<Vec, VecDestroy>;
using LinearSolver = Object<KSP, KSPDestroy>;
using Scatter = Object<VecScatter, VecScatterDestroy>;
using Numbering = Object<ISLocalToGlobalMapping, ISLocalToGlobalMappingDestroy>;

}  // namespace setka::petsc
