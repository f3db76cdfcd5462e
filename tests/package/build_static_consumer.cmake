# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# Configures the tree for a static library, puts one of ready objects where its build would, and installs that.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${PROJECT} -B ${WORK}/setka -DBUILD_SHARED_LIBS=OFF -DSETKA_CUDA=${CUDA}
    -DSETKA_TESTS=OFF -DSETKA_BENCHMARKS=OFF -DSETKA_EXAMPLES=OFF -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Release)
file(MAKE_DIRECTORY ${WORK}/setka/lib)
run(${AR} qcs ${WORK}/setka/lib/libsetka.a @${OBJECTS})
run(${CMAKE_COMMAND} --install ${WORK}/setka --prefix ${WORK}/prefix --component development)
build_and_run_consumer()
