// A stand-in for NVIDIA's management library: one device, which knows its UUID and tells fixed numbers. NVML_LACKS names a call that it
// does not support.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int unused; } *Device;
static struct { int unused; } only;
static unsigned calls;

static int lacks(const char *name) {
  const char *lacking = getenv("NVML_LACKS");
  return lacking && strcmp(lacking, name) == 0 ? 3 : 0;
}

int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetHandleByUUID(const char *uuid, Device *device) {
  *device = (Device)&only;
  return strcmp(uuid, "GPU-0011-22") == 0 ? 0 : 6;
}
int nvmlDeviceGetUtilizationRates(Device device, unsigned *both) {
  both[0] = 37, both[1] = 11;
  return lacks("utilization");
}
int nvmlDeviceGetDecoderUtilization(Device device, unsigned *percent, unsigned *period) {
  *percent = 64, *period = 167000;
  return 0;
}
int nvmlDeviceGetClockInfo(Device device, unsigned kind, unsigned *megahertz) {
  *megahertz = kind == 1 ? 1980 : kind == 2 ? 2619 : 0;
  return kind < 4 ? 0 : 2;
}
int nvmlDeviceGetPowerUsage(Device device, unsigned *milliwatts) {
  *milliwatts = 412550;
  return 0;
}
int nvmlDeviceGetTemperature(Device device, unsigned sensor, unsigned *celsius) {
  *celsius = 54;
  return sensor == 0 ? 0 : 2;
}
int nvmlDeviceGetTotalEnergyConsumption(Device device, uint64_t *millijoules) {
  *millijoules = 5000000000u + 1000u * calls++;
  return lacks("energy");
}
