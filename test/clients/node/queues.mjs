// Bull, bee-queue, rate-limiter-flexible and redlock, all of them Lua scripts; exits 0 when all is as expected. Usage: queues.mjs HOST PORT
import Bee from 'bee-queue';
import Bull from 'bull';
import { Redis } from 'ioredis';
import { BurstyRateLimiter, RateLimiterRedis } from 'rate-limiter-flexible';
import Redlock from 'redlock';
import { expect, expectError, walk } from './expect.mjs';

const [host, port] = process.argv.slice(2);
const address = { host, port: Number(port) };
const client = new Redis(address);

async function bull() {
  const queue = new Bull('bull', { redis: address });
  const results = [];
  const ended = new Promise((resolve) => {
    queue.on('completed', (job, result) => results.push([job.data, result]) === 200 && resolve());
  });
  queue.process(10, async (job) => {
    if (job.data % 50 === 7 && job.attemptsMade === 0) throw new Error('once');
    return job.data + 1;
  });
  await queue.addBulk(
    Array.from({ length: 200 }, (_, i) => ({
      data: i,
      opts: { attempts: 2, ...(i % 20 === 0 ? { delay: 5 } : i % 3 === 0 ? { priority: 1 + (i % 5) } : {}) },
    })),
  );
  await ended;
  expect(results.every(([data, result]) => result === data + 1), true, 'results');
  expect((await queue.getJobCounts()).completed, 200, 'completed jobs');
  const job = await queue.add(1000, { delay: 60_000 });
  expect(await job.getState(), 'delayed', 'a delayed job');
  await job.remove();
  await queue.clean(0, 'completed');
  expect(await queue.getCompletedCount(), 0, 'a cleaned queue');
  await queue.close();
}

async function beeQueue() {
  const queue = new Bee('bee', { redis: address, activateDelayedJobs: true, removeOnSuccess: true });
  queue.process(5, async (job) => {
    if (job.data === 13 && job.options.retries > 0) throw new Error('once');
    return job.data * 2;
  });
  const results = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const job = queue.createJob(i + 1).retries(1);
      if (i % 10 === 0) job.delayUntil(Date.now() + 5);
      const result = new Promise((resolve) => job.on('succeeded', resolve));
      await job.save();
      return result;
    }),
  );
  expect(results, Array.from({ length: 100 }, (_, i) => (i + 1) * 2), 'results');
  const { waiting, active, failed } = await queue.checkHealth();
  expect([waiting, active, failed], [0, 0, 0], 'health');
  await queue.close();
}

async function rateLimiters() {
  const limiter = new RateLimiterRedis({ storeClient: client, keyPrefix: 'limit', points: 5, duration: 60, blockDuration: 60 });
  for (let left = 4; left >= 0; left--) expect((await limiter.consume('me')).remainingPoints, left, 'points left');
  const refusal = await limiter.consume('me').then(() => null, (reason) => reason);
  expect([refusal.remainingPoints, refusal.msBeforeNext > 0], [0, true], 'a refusal');
  expect((await limiter.get('me')).consumedPoints >= 6, true, 'points consumed');
  await limiter.delete('me');
  expect((await limiter.reward('me', 2)).consumedPoints, -2, 'a reward');
  const together = await Promise.allSettled(Array.from({ length: 20 }, () => limiter.consume('us')));
  expect(together.filter((each) => each.status === 'fulfilled').length, 5, 'of twenty at once, five');
  const bursty = new BurstyRateLimiter(
    new RateLimiterRedis({ storeClient: client, keyPrefix: 'steady', points: 1, duration: 60 }),
    new RateLimiterRedis({ storeClient: client, keyPrefix: 'burst', points: 2, duration: 60 }),
  );
  const burst = await Promise.allSettled(Array.from({ length: 5 }, () => bursty.consume('me')));
  expect(burst.filter((each) => each.status === 'fulfilled').length, 3, 'one, and a burst of two');
}

async function locks() {
  const locker = new Redlock([client], { retryCount: 200, retryDelay: 2, retryJitter: 1 });
  const impatient = new Redlock([client], { retryCount: 0 });
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const lock = await locker.lock('lock', 30_000);
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inside--;
      await lock.unlock();
    }),
  );
  expect(most, 1, 'holders at a time');
  const lock = await (await locker.lock(['a', 'b'], 30_000)).extend(60_000);
  expect((await client.pttl('a')) > 30_000, true, 'an extended lock');
  await expectError(() => impatient.lock('b', 1000), 'attempts to lock');
  await lock.unlock();
  expect(await client.exists('a', 'b'), 0, 'unlocked');
  await expectError(() => lock.unlock(), 'Unable to fully release');
}

await client.flushall();
await walk([bull, beeQueue, rateLimiters, locks], () => client.quit());
