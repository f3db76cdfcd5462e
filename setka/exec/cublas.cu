// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/cublas.cuh"

#include <dlfcn.h>

#include <string>

#include "setka/base/error.hpp"

// SETKA_CUBLAS_FOLDER: of the toolkit that this was built with; SETKA_CUBLAS_MAJOR: its version.
namespace setka::exec::cuda {
namespace {

/// Where the system looks for libraries, then where the toolkit was at the build.
void* library() {
  const std::string file = "libcublas.so." SETKA_CUBLAS_MAJOR;
  for (const std::string& path : {file, SETKA_CUBLAS_FOLDER "/" + file}) {
    if (void* found = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return found;
  }
  const char* reason = dlerror();
  throw Error(Fault::resource, "cuBLAS cannot be loaded: " + std::string(reason != nullptr ? reason : file),
              "install the CUDA toolkit that setka was built with, or put its folder of libraries into "
              "LD_LIBRARY_PATH");
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr)
    throw Error(Fault::resource, std::string("cuBLAS lacks ") + name, "install CUDA " SETKA_CUBLAS_MAJOR);
}

#define SETKA_NAME_OF_TEXT(name) #name
#define SETKA_NAME_OF(name) SETKA_NAME_OF_TEXT(name)  // cublas_v2.h renames functions by macros

Cublas loaded() {
  void* from = library();
  Cublas made;
  find(from, SETKA_NAME_OF(cublasCreate), made.create);
  find(from, SETKA_NAME_OF(cublasDestroy), made.destroy);
  find(from, SETKA_NAME_OF(cublasSetStream), made.set_stream);
  find(from, SETKA_NAME_OF(cublasGetStatusString), made.status_string);
  find(from, SETKA_NAME_OF(cublasDgemm_64), made.dgemm);
  find(from, SETKA_NAME_OF(cublasSgemm_64), made.sgemm);
  find(from, SETKA_NAME_OF(cublasSgemmStridedBatched_64), made.sgemm_strided_batched);
  return made;
}

}  // namespace

const Cublas& cublas() {
  static const Cublas functions = loaded();
  return functions;
}

}  // namespace setka::exec::cuda
