// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <cuda_runtime.h>

#include "setka/base/error.hpp"
#include "setka/exec/cublas.cuh"
#include "setka/exec/cuda.cuh"
#include "setka/exec/detail/backend.hpp"

namespace setka::exec {
namespace {

constexpr int least_capability = 8;  // double precision matrix instructions

/// "... in cudaMalloc(&data, bytes) at setka/exec/x.cu:17". Plain strings: nvcc does not compile fmt.
std::string at_place(const char* call, const char* file, int line) {
  std::string_view path = file;
  if (auto at = path.rfind("setka/"); at != std::string_view::npos) path.remove_prefix(at);
  return std::string(" in ") + call + " at " + std::string(path) + ":" + std::to_string(line);
}

}  // namespace

namespace cuda {

void fail(cudaError_t status, const char* call, const char* file, int line) {
  (void)cudaGetLastError();  // a sticky error stays; any other is not reported a second time
  throw Error(Fault::resource, std::string("CUDA failed: ") + cudaGetErrorString(status) + " (" +
                                   cudaGetErrorName(status) + ")" + at_place(call, file, line));
}

void fail(cublasStatus_t status, const char* call, const char* file, int line) {
  throw Error(Fault::resource,
              std::string("cuBLAS failed: ") + cublas().status_string(status) + at_place(call, file, line));
}

}  // namespace cuda

namespace detail {
namespace {

class CudaEvent final : public EventState {
 public:
  explicit CudaEvent(unsigned flags = cudaEventDefault) {
    SETKA_CUDA_CHECK(cudaEventCreateWithFlags(&event_, flags));
  }
  ~CudaEvent() override { cudaEventDestroy(event_); }

  void synchronize() override { SETKA_CUDA_CHECK(cudaEventSynchronize(event_)); }

  double seconds_since(EventState& earlier) override {
    auto& other = dynamic_cast<CudaEvent&>(earlier);
    other.synchronize();
    synchronize();
    float milliseconds = 0;
    SETKA_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, other.event_, event_));
    return 1e-3 * static_cast<double>(milliseconds);
  }

  cudaEvent_t native() const { return event_; }

 private:
  cudaEvent_t event_{};
};

/// The GPU of a stream that somebody else made; that of the call where the driver cannot tell.
int ordinal_of([[maybe_unused]] cudaStream_t stream, int otherwise) {
#if CUDART_VERSION >= 12080
  int ordinal = otherwise;
  SETKA_CUDA_CHECK(cudaStreamGetDevice(stream, &ordinal));
  return ordinal;
#else
  return otherwise;
#endif
}

class CudaStream final : public StreamState {
 public:
  CudaStream(DeviceState& device, int ordinal) : StreamState(device), ordinal_(ordinal), owns_(true) {
    enter();
    SETKA_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    make_room();
  }

  CudaStream(DeviceState& device, int ordinal, cudaStream_t native)
      : StreamState(device), ordinal_(ordinal), owns_(false), stream_(native) {
    enter();
    const int theirs = ordinal_of(native, ordinal);
    if (theirs != ordinal) {
      throw Error(Fault::usage,
                  "Device::wrap: the stream is of CUDA device " + std::to_string(theirs) +
                      ", but the device is number " + std::to_string(ordinal),
                  "use the device of the stream");
    }
    make_room();
  }

 private:
  void make_room() {
    SETKA_CUDA_CHECK(cudaMallocHost(&landing_, landing_bytes));
    SETKA_CUDA_CHECK(cudaMalloc(&counter_, sizeof(unsigned)));
    SETKA_CUDA_CHECK(cudaMemsetAsync(counter_, 0, sizeof(unsigned), stream_));
  }

 public:
  ~CudaStream() override {
    cudaSetDevice(ordinal_);
    cudaStreamSynchronize(stream_);
    trim();
    if (cublas_ != nullptr) cuda::cublas().destroy(cublas_);
    cudaFree(counter_);
    cudaFreeHost(landing_);
    if (owns_) cudaStreamDestroy(stream_);
  }

  void enter() const { SETKA_CUDA_CHECK(cudaSetDevice(ordinal_)); }

  void synchronize() override {
    enter();
    SETKA_CUDA_CHECK(cudaStreamSynchronize(stream_));
  }

  std::shared_ptr<EventState> record() override {
    enter();
    auto event = std::make_shared<CudaEvent>();
    SETKA_CUDA_CHECK(cudaEventRecord(event->native(), stream_));
    return event;
  }

  void mark(std::shared_ptr<EventState>& event) override {
    enter();
    if (!event) event = std::make_shared<CudaEvent>(cudaEventDisableTiming);  // a fraction of the time
    SETKA_CUDA_CHECK(cudaEventRecord(dynamic_cast<CudaEvent&>(*event).native(), stream_));
  }

  void wait(EventState& event) override {
    enter();
    if (auto* on_gpu = dynamic_cast<CudaEvent*>(&event)) {
      SETKA_CUDA_CHECK(cudaStreamWaitEvent(stream_, on_gpu->native(), 0));
    } else {
      event.synchronize();
    }
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    enter();
    SETKA_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_));
  }

  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                 std::size_t rows) override {
    enter();
    constexpr std::size_t widest = 0x7fffffff;  // pitch that CUDA takes
    if (std::max(to_pitch, from_pitch) > widest) {
      for (std::size_t i = 0; i < rows; ++i)
        copy(static_cast<char*>(to) + i * to_pitch, static_cast<const char*>(from) + i * from_pitch, width);
      return;
    }
    SETKA_CUDA_CHECK(
        cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, rows, cudaMemcpyDefault, stream_));
  }

  void fill_bytes(void* to, int byte, std::size_t bytes) override {
    enter();
    SETKA_CUDA_CHECK(cudaMemsetAsync(to, byte, bytes, stream_));
  }

  void* landing() override { return landing_; }

  cudaStream_t native() const { return stream_; }
  unsigned* counter() const { return counter_; }

  cublasHandle_t cublas() {
    if (cublas_ == nullptr) {
      enter();
      SETKA_CUDA_CHECK(cuda::cublas().create(&cublas_));
      SETKA_CUDA_CHECK(cuda::cublas().set_stream(cublas_, stream_));
    }
    return cublas_;
  }

 private:
  int ordinal_;
  bool owns_;
  cudaStream_t stream_{};
  cublasHandle_t cublas_ = nullptr;
  void* landing_ = nullptr;
  unsigned* counter_ = nullptr;
};

DeviceInfo info_of(int ordinal) {
  cudaDeviceProp properties{};
  SETKA_CUDA_CHECK(cudaGetDeviceProperties(&properties, ordinal));
  DeviceInfo info;
  info.backend = Backend::cuda;
  info.ordinal = ordinal;
  info.name = properties.name;
  info.description = "compute capability " + std::to_string(properties.major) + "." +
                     std::to_string(properties.minor) + ", " +
                     std::to_string(properties.multiProcessorCount) + " multiprocessors";
  info.total_memory = properties.totalGlobalMem;
  info.cache = static_cast<std::uint64_t>(properties.l2CacheSize);
  SETKA_CUDA_CHECK(cudaSetDevice(ordinal));
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  SETKA_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  info.free_memory = free_bytes;
  return info;
}

std::atomic<bool> gpu_was_used = false;

/// What the driver knows of an address; memory of the host that it does not know is
/// cudaMemoryTypeUnregistered.
cudaPointerAttributes attributes_of(const void* data) {
  cudaPointerAttributes attributes{};
  SETKA_CUDA_CHECK(cudaPointerGetAttributes(&attributes, data));
  return attributes;
}

class CudaDevice final : public DeviceState {
 public:
  explicit CudaDevice(int ordinal) : ordinal_(ordinal) {
    gpu_was_used = true;
    SETKA_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, ordinal));
  }
  ~CudaDevice() override { close_streams(); }

  Backend backend() const override { return Backend::cuda; }
  int ordinal() const override { return ordinal_; }
  int threads() const override { return 1; }
  int multiprocessors() const { return multiprocessors_; }

  void synchronize() override {
    SETKA_CUDA_CHECK(cudaSetDevice(ordinal_));
    SETKA_CUDA_CHECK(cudaDeviceSynchronize());
  }

  std::unique_ptr<StreamState> make_stream() override {
    return std::make_unique<CudaStream>(*this, ordinal_);
  }
  std::unique_ptr<StreamState> wrap_stream(NativeStream native) override {
    return std::make_unique<CudaStream>(*this, ordinal_, static_cast<cudaStream_t>(native.handle));
  }
  bool reaches(const void* data) const override {
    const cudaPointerAttributes found = attributes_of(data);
    return found.type == cudaMemoryTypeManaged ||
           (found.type == cudaMemoryTypeDevice && found.device == ordinal_);
  }

 private:
  DeviceInfo own_info() const override { return info_of(ordinal_); }

  void release(void* data, Memory) noexcept override {
    cudaSetDevice(ordinal_);
    cudaFree(data);
  }

  void* try_allocate(std::size_t bytes, Memory) override {
    SETKA_CUDA_CHECK(cudaSetDevice(ordinal_));
    void* data = nullptr;
    const cudaError_t status = cudaMalloc(&data, bytes);
    if (status == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      return nullptr;
    }
    SETKA_CUDA_CHECK(status);
    return data;
  }

  int ordinal_;
  int multiprocessors_ = 0;
};

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return count;
}

}  // namespace

std::string why_no_cuda() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return {};
  (void)cudaGetLastError();
  if (status == cudaSuccess || status == cudaErrorNoDevice) return "this machine has no NVIDIA GPU";
  if (status == cudaErrorInsufficientDriver) return "no NVIDIA driver, or one too old for this build";
  return cudaGetErrorString(status);
}

std::shared_ptr<DeviceState> make_cuda_device(int ordinal) {
  const int count = device_count();
  if (count == 0) throw Error(Fault::usage, "no CUDA device: " + why_no_cuda(), "use the cpu back end");
  if (ordinal < 0 || ordinal >= count) {
    throw Error(Fault::usage,
                "no CUDA device " + std::to_string(ordinal) + ": this machine has " + std::to_string(count),
                count == 1 ? "use number 0" : "use a number from 0 to " + std::to_string(count - 1));
  }
  int major = 0;
  SETKA_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal));
  if (major < least_capability) {
    throw Error(Fault::usage,
                "CUDA device " + std::to_string(ordinal) + " has compute capability " +
                    std::to_string(major) + ".x but Setka needs " + std::to_string(least_capability) +
                    ".0 or newer",
                "use the cpu back end or another device");
  }
  return std::make_shared<CudaDevice>(ordinal);
}

std::vector<DeviceInfo> cuda_devices() {
  std::vector<DeviceInfo> found;
  for (int ordinal = 0; ordinal < device_count(); ++ordinal) found.push_back(info_of(ordinal));
  return found;
}

void* try_allocate_pinned(std::size_t bytes) {
  if (device_count() == 0) return std::malloc(bytes);
  void* data = nullptr;
  if (cudaHostAlloc(&data, bytes, cudaHostAllocPortable) != cudaSuccess) {
    (void)cudaGetLastError();
    return nullptr;
  }
  return data;
}

bool is_gpu_memory(const void* data) {
  return gpu_was_used && attributes_of(data).type == cudaMemoryTypeDevice;
}

void free_pinned(void* data) noexcept {
  if (device_count() == 0) {
    std::free(data);
  } else {
    cudaFreeHost(data);
  }
}

}  // namespace detail

namespace cuda {
namespace {

detail::CudaStream& state_of(const Stream& stream) {
  return static_cast<detail::CudaStream&>(stream.state());
}

}  // namespace

cudaStream_t enter(const Stream& stream) {
  detail::CudaStream& state = state_of(stream);
  state.enter();
  return state.native();
}

cublasHandle_t cublas_handle(const Stream& stream) {
  return state_of(stream).cublas();
}

int multiprocessors(const Stream& stream) {
  return static_cast<detail::CudaDevice&>(stream.device().state()).multiprocessors();
}

unsigned* arrival_counter(const Stream& stream) {
  return state_of(stream).counter();
}

void check_launch(const Stream& stream, const char* kernel, const char* file, int line) {
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) fail(status, (std::string("the launch of ") + kernel).c_str(), file, line);
#ifndef NDEBUG
  check(cudaStreamSynchronize(state_of(stream).native()), kernel, file, line);
#else
  (void)stream;
#endif
}

}  // namespace cuda
}  // namespace setka::exec
