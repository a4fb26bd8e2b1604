import { faultsAfter } from '/work/wt/turns/packages/integrations/ai-sdk/test/chat-programs/crash.ts'
const rounds = Number(process.argv[2] ?? 1)
let faults = 0
for (let r = 0; r < rounds; r++)
for (const during of ['message', 'approval'] as const)
for (const words of ['mail 1', 'mail fails 1', 'buy 1', 'buy fails 1', 'buy and mail 1'])
for (let after = 1; after <= 50; after++) {
  const f = await faultsAfter({ words, isDurable: true, during, after }).catch((e) => [String(e)])
  if (f.length) { faults++; console.log(r, during, words, after, f.join('\n')) }
}
console.log('faults', faults)
process.exit(0)
