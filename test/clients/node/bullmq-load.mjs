// A load for benchmark/bullmq.py: adds jobs to a queue of BullMQ and processes them; prints the seconds of both as JSON.
import { Queue, Worker } from 'bullmq';

const [port, jobs] = process.argv.slice(2).map(Number);
const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
const BULK = 500;

async function seconds(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

const queue = new Queue('load', { connection });
const added = await seconds(async () => {
  for (let i = 0; i < jobs; i += BULK) {
    const count = Math.min(BULK, jobs - i);
    await queue.addBulk(Array.from({ length: count }, (_, k) => ({ name: 'job', data: { number: i + k }, opts: { removeOnComplete: true } })));
  }
});

let worker;
let left = jobs;
const processed = await seconds(() => new Promise((resolve) => {
  worker = new Worker('load', async () => {}, { connection, concurrency: 50 });
  worker.on('completed', () => {
    left -= 1;
    if (left === 0) resolve();
  });
}));
console.log(JSON.stringify({ added, processed }));
await worker.close();
await queue.close();
