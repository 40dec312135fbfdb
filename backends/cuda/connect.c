/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/plan.h"

static int can_reach(int from, int to)
{
    int can = from == to;
    if (!can && cudaDeviceCanAccessPeer(&can, from, to) != cudaSuccess)
        can = 0;
    cudaGetLastError();
    return can;
}

/* For all kernels of the device, and as long as the process lives. */
static int reach(int from, int to)
{
    if (from == to)
        return 1;
    const int before = lm_cuda_enter_device(from);
    const cudaError_t e = cudaDeviceEnablePeerAccess(to, 0);
    lm_cuda_leave(before);
    cudaGetLastError(); /* it may have been so before */
    return e == cudaSuccess || e == cudaErrorPeerAccessAlreadyEnabled;
}

static int make_events(lm_cuda_head *h)
{
    lm_cuda_joint *j = &h->joint;
    const int before = lm_cuda_enter_device(h->device);
    for (int i = 0; i < 2; i++)
        if (!j->ended[i]) {
            j->phases[i] = (lm_cuda_phase){.step = -1};
            if (cudaEventCreateWithFlags(&j->ended[i], cudaEventDisableTiming) != cudaSuccess)
                j->ended[i] = NULL;
        }
    lm_cuda_leave(before);
    cudaGetLastError();
    return j->ended[0] && j->ended[1];
}

/* Either can do it or neither: each waits for the other. */
int lm_cuda_connect(lm_cuda_head *h, lm_side side, lm_cuda_head *peer)
{
    if (!peer) {
        const int before = lm_cuda_enter_device(h->device);
        cudaStreamSynchronize(h->stream);
        lm_cuda_leave(before);
        h->joint.beyond[side] = NULL;
        return 0;
    }
    const int a = h->device, b = peer->device;
    const int can = can_reach(a, b) && can_reach(b, a) && reach(a, b) && reach(b, a) &&
                    make_events(h) && make_events(peer);
    h->joint.beyond[side] = can ? peer : NULL;
    return can;
}

void lm_cuda_end_joint(lm_cuda_head *h)
{
    for (int i = 0; i < 2; i++)
        if (h->joint.ended[i])
            cudaEventDestroy(h->joint.ended[i]);
}

static int same(lm_cuda_phase a, lm_cuda_phase b)
{
    return a.step == b.step && a.number == b.number;
}

/* An event that has not been recorded yet is waited for by nobody. */
static cudaError_t await_other(lm_cuda_head *h, const lm_cuda_joint *other, lm_cuda_phase phase)
{
    const int already = same(other->phases[other->latest], phase);
    return cudaStreamWaitEvent(h->stream, other->ended[already ? 1 - other->latest : other->latest],
                               0);
}

cudaError_t lm_cuda_begin_phase(lm_cuda_head *h, lm_cuda_phase phase)
{
    lm_cuda_head *const *beyond = h->joint.beyond;
    cudaError_t e = cudaSuccess;
    for (int side = LM_LOWER; e == cudaSuccess && side <= LM_UPPER; side++)
        if (beyond[side] && (side == LM_LOWER || beyond[LM_UPPER] != beyond[LM_LOWER]))
            e = await_other(h, &beyond[side]->joint, phase);
    return e;
}

cudaError_t lm_cuda_end_phase(lm_cuda_head *h, lm_cuda_phase phase)
{
    lm_cuda_joint *j = &h->joint;
    if (!lm_cuda_is_connected(j))
        return cudaSuccess;
    j->latest = 1 - j->latest;
    j->phases[j->latest] = phase;
    return cudaEventRecord(j->ended[j->latest], h->stream);
}

cudaError_t lm_cuda_await_halo(lm_cuda_head *h)
{
    return lm_cuda_begin_phase(h, (lm_cuda_phase){.step = -1, .number = -1});
}
