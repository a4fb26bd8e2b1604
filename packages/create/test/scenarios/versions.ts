/** What each version of `useChat` can do. */
import { expect } from 'vitest'
import type { Scenario } from './world.ts'

/** Sends, decides, loads again, stops. Version 5 has no approvals. */
export async function useClient(scenario: Scenario, client: string, version: number): Promise<void> {
  const slow = `slow-v${version}`
  const first = await scenario.open({ client })
  await first.say('mail')
  expect((await first.agrees()).at(-1)).toMatch(/\(mail output-available\)$/)
  if (version > 5) {
    await first.say('buy')
    await first.decide(true)
    expect((await first.agrees()).at(-1)).toMatch(/\(buy output-available\)$/)
  }
  await first.begin(slow)
  await first.sees(`To "${slow}"`)
  await first.leave()
  const second = await scenario.open({ client, load: true })
  await second.sees(`To "${slow}"`)
  await second.stop()
  expect((await second.agrees()).at(-1)).toBe(`assistant: To "${slow}"`)
  await second.continues(`next-v${version}`)
  expect(await second.effects()).toEqual(version > 5 ? ['mail pear', 'buy pear'] : ['mail pear'])
}
