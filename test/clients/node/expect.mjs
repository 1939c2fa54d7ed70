// What both client walks share: comparing a reply with what is expected, and expecting an error.
import assert from 'node:assert/strict';

export function expect(actual, expected, what) {
  assert.deepStrictEqual(actual, expected, what);
}

export async function expectError(call, text) {
  await assert.rejects(call, (error) => error.message.includes(text));
}

// Runs the steps in order with one deadline for all, and says each one's time.
export async function walk(steps, close) {
  const deadline = setTimeout(() => {
    console.error('the walk did not end within 60 s');
    process.exit(2);
  }, 60_000);
  for (const step of steps) {
    const start = performance.now();
    await step();
    console.log(`${step.name}: ok in ${((performance.now() - start) / 1000).toFixed(2)} s`);
  }
  clearTimeout(deadline);
  await close();
}
