/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdatomic.h>
#include <string.h>

#include "backends/cuda/plan.h"

enum { MOST_DEVICES = 64, MOST_SLABS = 64 };

/* ---- devices that reach each other */

static int can_reach(int from, int to)
{
    int can = from == to;
    if (!can && cudaDeviceCanAccessPeer(&can, from, to) != cudaSuccess)
        can = 0;
    cudaGetLastError();
    return can;
}

/* Lets all kernels of the device reach the other one. This holds as long as the process lives. */
static int reach(int from, int to)
{
    if (from == to)
        return 1;
    LM_ON_DEVICE(from);
    const cudaError_t e = cudaDeviceEnablePeerAccess(to, 0);
    cudaGetLastError(); /* access may have been enabled before */
    return e == cudaSuccess || e == cudaErrorPeerAccessAlreadyEnabled;
}

/* Says whether blocks of the device can add to numbers of the other device. */
static int can_add(int from, int to)
{
    int can = 0;
    if (from == to || cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrNativeAtomicSupported, from,
                                                to) != cudaSuccess)
        can = 0;
    cudaGetLastError();
    return can;
}

static cudaError_t make_counters(lm_cuda_head *h)
{
    const size_t bytes = 2 * sizeof *h->joint.come;
    void *memory = NULL;
    cudaError_t e = h->joint.come ? cudaSuccess : lm_cuda_take(&memory, bytes);
    if (memory) {
        h->joint.come = memory;
        e = cudaMemsetAsync(memory, 0, bytes, h->stream);
    }
    return e == cudaSuccess ? cudaStreamSynchronize(h->stream) : e;
}

static int make_joint(lm_cuda_head *h)
{
    lm_cuda_joint *j = &h->joint;
    LM_ON_DEVICE(h->device);
    cudaError_t e = make_counters(h);
    for (int i = 0; i < 2; i++)
        if (!j->ended[i]) {
            j->phases[i] = (lm_cuda_phase){.step = -1};
            if (cudaEventCreateWithFlags(&j->ended[i], cudaEventDisableTiming) != cudaSuccess)
                j->ended[i] = NULL;
        }
    cudaGetLastError();
    return e == cudaSuccess && j->ended[0] && j->ended[1];
}

/* ---- which of the two ways */

/* [device], the slab there whose blocks wait. It belongs to the process, as the device's room
 * for blocks does. */
static _Atomic(const lm_cuda_head *) owner[MOST_DEVICES];

static int claim(const lm_cuda_head *h)
{
    const lm_cuda_head *none = NULL;
    return h->device < MOST_DEVICES && atomic_compare_exchange_strong(&owner[h->device], &none, h);
}

static void release(const lm_cuda_head *h)
{
    const lm_cuda_head *self = h;
    if (h->device < MOST_DEVICES)
        atomic_compare_exchange_strong(&owner[h->device], &self, NULL);
}

/* Gathers all slabs that are connected with this one, in a row or a ring. Returns 0 if they are
 * too many. */
static int gather(lm_cuda_head *h, lm_cuda_head **all)
{
    lm_cuda_head *first = h;
    int count = 0;
    for (int i = 0; i < MOST_SLABS && first->joint.beyond[LM_LOWER]; i++) {
        first = first->joint.beyond[LM_LOWER];
        if (first == h)
            break;
    }
    for (lm_cuda_head *s = first; s && (count == 0 || s != first); s = s->joint.beyond[LM_UPPER]) {
        if (count == MOST_SLABS)
            return 0;
        all[count++] = s;
    }
    return count;
}

static void decide(lm_cuda_head *h)
{
    lm_cuda_head *all[MOST_SLABS];
    const int count = gather(h, all);
    int claimed = 0, can = count > 1;
    for (int i = 0; i < count && can; i++) {
        const lm_cuda_head *above = all[i]->joint.beyond[LM_UPPER];
        can = !above ||
              (can_add(all[i]->device, above->device) && can_add(above->device, all[i]->device));
    }
    while (can && claimed < count)
        if (claim(all[claimed]))
            claimed++;
        else
            can = 0;
    for (int i = 0; i < claimed && !can; i++)
        release(all[i]);
    for (int i = 0; i < count; i++)
        all[i]->joint.waiting = can ? LM_BLOCKS_WAIT : LM_STREAMS_WAIT;
    h->joint.waiting = can ? LM_BLOCKS_WAIT : LM_STREAMS_WAIT;
}

/* Decides again, since other slabs are connected now. Their devices become free for others when
 * none of their blocks waits on any of these devices any more. */
static void decide_again(lm_cuda_head *h)
{
    lm_cuda_head *all[MOST_SLABS];
    const int count = gather(h, all);
    for (int i = 0; i < count; i++)
        if (all[i]->joint.waiting == LM_BLOCKS_WAIT)
            cudaStreamSynchronize(all[i]->stream);
    for (int i = 0; i < count; i++) {
        release(all[i]);
        all[i]->joint.waiting = LM_UNDECIDED;
    }
}

/* Connects both ways or not at all, since each slab waits for the other. */
int lm_cuda_connect(lm_cuda_head *h, lm_side side, lm_cuda_head *peer)
{
    decide_again(h);
    if (!peer) {
        LM_ON_DEVICE(h->device);
        cudaStreamSynchronize(h->stream);
        h->joint.beyond[side] = NULL;
        return 0;
    }
    const int a = h->device, b = peer->device;
    const int can = can_reach(a, b) && can_reach(b, a) && reach(a, b) && reach(b, a) &&
                    make_joint(h) && make_joint(peer);
    h->joint.beyond[side] = can ? peer : NULL;
    return can;
}

void lm_cuda_end_joint(lm_cuda_head *h)
{
    release(h);
    cudaFree(h->joint.come);
    for (int i = 0; i < 2; i++)
        if (h->joint.ended[i])
            cudaEventDestroy(h->joint.ended[i]);
}

/* ---- phases */

static int same(lm_cuda_phase a, lm_cuda_phase b)
{
    return a.step == b.step && a.number == b.number;
}

/* Returns which of the neighbour's last two phases is the one before `phase`. */
static int before_phase(const lm_cuda_joint *other, lm_cuda_phase phase)
{
    const int latest = atomic_load_explicit(&other->latest, memory_order_acquire);
    return same(other->phases[latest], phase) ? 1 - latest : latest;
}

/* Makes the stream wait for the neighbours' previous phase. An event that has not been recorded
 * delays nobody. */
static cudaError_t await_streams(lm_cuda_head *h, lm_cuda_phase phase)
{
    lm_cuda_head *const *beyond = h->joint.beyond;
    cudaError_t e = cudaSuccess;
    for (int side = LM_LOWER; e == cudaSuccess && side <= LM_UPPER; side++)
        if (beyond[side] && (side == LM_LOWER || beyond[LM_UPPER] != beyond[LM_LOWER])) {
            const lm_cuda_joint *other = &beyond[side]->joint;
            e = cudaStreamWaitEvent(h->stream, other->ended[before_phase(other, phase)], 0);
        }
    return e;
}

/* Tells the seam what the blocks of a phase wait for. */
static void give_seam(lm_cuda_head *h, lm_cuda_phase phase, lm_seam *seam)
{
    lm_cuda_joint *j = &h->joint;
    seam->come = j->come;
    seam->posts = j->posts;
    for (int side = LM_LOWER; side <= LM_UPPER; side++) {
        const int other = (int)lm_other_side((lm_side)side);
        const lm_cuda_joint *beyond = j->beyond[side] ? &j->beyond[side]->joint : NULL;
        seam->wanted[side] = beyond ? beyond->then[before_phase(beyond, phase)][other] : 0;
        seam->post[side] = beyond ? beyond->come + other : NULL;
    }
}

cudaError_t lm_cuda_begin_phase(lm_cuda_head *h, lm_cuda_phase phase, lm_seam *seam)
{
    memset(seam, 0, sizeof *seam);
    lm_cuda_ferry_leaves(h);
    if (!lm_cuda_is_connected(&h->joint))
        return cudaSuccess;
    if (h->joint.waiting == LM_UNDECIDED)
        decide(h);
    if (h->joint.waiting == LM_STREAMS_WAIT)
        return await_streams(h, phase);
    give_seam(h, phase, seam);
    return cudaSuccess;
}

cudaError_t lm_cuda_end_phase(lm_cuda_head *h, lm_cuda_phase phase)
{
    lm_cuda_joint *j = &h->joint;
    if (!lm_cuda_is_connected(j))
        return cudaSuccess;
    const int next = 1 - atomic_load_explicit(&j->latest, memory_order_relaxed);
    j->phases[next] = phase;
    memcpy(j->then[next], j->posts, sizeof j->posts);
    const cudaError_t e =
        j->waiting == LM_BLOCKS_WAIT ? cudaSuccess : cudaEventRecord(j->ended[next], h->stream);
    atomic_store_explicit(&j->latest, next, memory_order_release);
    return e;
}

/* Waits for the neighbours. Where blocks wait, their streams have recorded no phase, so this
 * records one. */
cudaError_t lm_cuda_await_halo(lm_cuda_head *h)
{
    lm_cuda_joint *j = &h->joint;
    cudaError_t e = cudaSuccess;
    if (j->waiting != LM_BLOCKS_WAIT)
        return await_streams(h, (lm_cuda_phase){.step = -1, .number = -1});
    for (int side = LM_LOWER; e == cudaSuccess && side <= LM_UPPER; side++)
        if (j->beyond[side]) {
            lm_cuda_head *const other = j->beyond[side];
            e = cudaEventRecord(other->joint.ended[0], other->stream);
            if (e == cudaSuccess)
                e = cudaStreamWaitEvent(h->stream, other->joint.ended[0], 0);
        }
    return e;
}
