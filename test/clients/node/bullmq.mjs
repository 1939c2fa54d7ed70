// BullMQ's queues and workers, whose every step is a Lua script; exits 0 when all is as expected. Usage: bullmq.mjs HOST PORT [JOBS]
import { FlowProducer, Queue, QueueEvents, UnrecoverableError, Worker } from 'bullmq';
import { expect, expectError, walk } from './expect.mjs';

const [host, port, many = '2000'] = process.argv.slice(2);
const connection = { host, port: Number(port), maxRetriesPerRequest: null };
const opened = [];

function open(made) {
  opened.push(made);
  made.on('error', (error) => (console.error(error), process.exit(1)));
  return made;
}

const queue = (name) => open(new Queue(name, { connection }));
const events = (name) => open(new QueueEvents(name, { connection }));
const worker = (name, work, more = {}) => open(new Worker(name, work, { connection, ...more }));

// Resolves when so many events of a kind have come from a worker.
function times(source, event, count) {
  return new Promise((resolve) => {
    let seen = 0;
    source.on(event, () => ++seen === count && resolve());
  });
}

async function manyJobs() {
  const count = Number(many);
  const jobs = queue('many');
  for (let start = 0; start < count; start += 500) {
    await jobs.addBulk(
      Array.from({ length: Math.min(500, count - start) }, (_, i) => ({
        name: 'square',
        data: { number: start + i },
        opts: i % 100 === 0 ? { delay: 5 } : i % 10 === 0 ? { priority: 1 + (i % 7) } : {},
      })),
    );
  }
  const results = new Map();
  const working = worker('many', async (job) => job.data.number ** 2, { concurrency: 50 });
  working.on('completed', (job, result) => {
    if (results.has(job.id)) throw new Error(`job ${job.id} ran twice`);
    results.set(job.id, [job.data.number, result]);
  });
  await times(working, 'completed', count);
  expect([...results.values()].every(([number, result]) => result === number ** 2), true, 'results');
  expect(results.size, count, 'each job once');
  const counts = await jobs.getJobCounts();
  expect([counts.completed, counts.waiting, counts.active, counts.delayed, counts.failed], [count, 0, 0, 0, 0], 'counts');
  await jobs.obliterate();
  expect(await jobs.count(), 0, 'an obliterated queue');
}

async function priorities() {
  const jobs = queue('priorities');
  await jobs.pause();
  for (const priority of [5, 1, 3, 2, 4]) await jobs.add('p', priority, { priority });
  await jobs.add('first', 0);
  const order = [];
  const working = worker('priorities', async (job) => order.push(job.data), { concurrency: 1 });
  const all = times(working, 'completed', 6);
  await jobs.resume();
  await all;
  expect(order, [0, 1, 2, 3, 4, 5], 'order by priority');
}

async function retries() {
  const jobs = queue('retries');
  const told = events('retries');
  await told.waitUntilReady();
  worker('retries', async (job) => {
    if (job.name === 'hopeless') throw new UnrecoverableError('never');
    if (job.attemptsMade < 2) throw new Error('not yet');
    return job.attemptsMade;
  });
  const third = await jobs.add('third', {}, { attempts: 3, backoff: { type: 'exponential', delay: 2 } });
  expect(await third.waitUntilFinished(told), 2, 'the third attempt');
  const hopeless = await jobs.add('hopeless', {}, { attempts: 5 });
  await expectError(() => hopeless.waitUntilFinished(told), 'never');
  expect((await jobs.getFailed()).map((job) => [job.name, job.failedReason]), [['hopeless', 'never']], 'failed jobs');
  await (await jobs.getJob(hopeless.id)).remove();
  expect(await jobs.getFailedCount(), 0, 'a removed job');
}

async function flows() {
  const flow = open(new FlowProducer({ connection }));
  const told = events('parents');
  await told.waitUntilReady();
  worker('children', async (job) => job.data * 10, { concurrency: 4 });
  worker('parents', async (job) => Object.values(await job.getChildrenValues()).reduce((sum, value) => sum + value, 0));
  const tree = await flow.add({
    name: 'parent',
    queueName: 'parents',
    children: [1, 2, 3, 4, 5].map((data) => ({ name: 'child', data, queueName: 'children' })),
  });
  expect(await tree.job.waitUntilFinished(told), 150, 'the sum of the children');
}

async function rateLimits() {
  const jobs = queue('limited');
  await jobs.addBulk(Array.from({ length: 6 }, (_, i) => ({ name: 'job', data: i })));
  let limited = 0;
  const working = worker(
    'limited',
    async (job) => {
      if (job.data === 3 && limited++ === 0) {
        await working.rateLimit(20);
        throw Worker.RateLimitError();
      }
    },
    { limiter: { max: 2, duration: 30 } },
  );
  await times(working, 'completed', 6);
  expect(limited, 2, 'a job that was put back and ran again');
}

async function schedules() {
  const jobs = queue('schedules');
  await jobs.upsertJobScheduler('often', { every: 20 }, { name: 'tick', data: 'tock' });
  const working = worker('schedules', async (job) => job.data);
  await times(working, 'completed', 3);
  expect((await jobs.getJobSchedulers()).map((each) => each.key), ['often'], 'schedulers');
  expect(await jobs.removeJobScheduler('often'), true, 'the scheduler is gone');
}

async function debounced() {
  const jobs = queue('deduplicated');
  await jobs.pause();
  for (let i = 0; i < 5; i++) await jobs.add('same', i, { deduplication: { id: 'one' } });
  expect(await jobs.getWaitingCount() + (await jobs.getJobCounts('paused')).paused, 1, 'one job of five');
}

async function close() {
  await Promise.all(opened.map((each) => each.close()));
}

await walk([manyJobs, priorities, retries, flows, rateLimits, schedules, debounced], close);
