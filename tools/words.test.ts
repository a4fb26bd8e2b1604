import { describe, expect, it } from 'vitest'
import { refused, refusedIn, userPages } from './words.ts'

describe('refusedIn', () => {
  it.each(refused.map(([, better, sample]) => [sample, better]))('refuses "%s"', (sample, better) => {
    expect(refusedIn(`First.\n\nHere is ${sample}.`)).toEqual([expect.objectContaining({ line: 3, better })])
  })

  it.each([
    '```sh\nnpm create @x -- --door chat\n```',
    'The option `--door` and the field `places`.',
    'See [it](docs/door.md).',
    'In its place, a scripted model takes the place of yours.',
    'Port 4321 of this machine; a line of the file; TLS certificates.',
  ])('accepts %j', (text) => {
    expect(refusedIn(text)).toEqual([])
  })
})

it('looks at READMEs, guides and templates', () => {
  expect(userPages()).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/guides/trace.md',
      'packages/agents/README.md',
      'docs/come-from/mastra.md',
    ]),
  )
})
