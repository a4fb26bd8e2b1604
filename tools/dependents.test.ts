import { describe, expect, it } from 'vitest'
import { dependentsOf, type Manifest } from './dependents.ts'
import { secondCopies } from './one-copy.ts'

const manifest = (name: string, version: string, ...needed: string[]): Manifest => ({
  name,
  version,
  dependencies: Object.fromEntries(needed.map((one) => one.split('@') as [string, string])),
})

describe('dependentsOf', () => {
  const range = 'workspace:^'
  const packages = [
    manifest('tools', '0.3.0', `agents@${range}`),
    manifest('agents', '0.2.0', `core@${range}`),
    manifest('store', '1.4.0', `core@${range}`),
    manifest('core', '0.1.5'),
  ]

  it('returns what a minor below 1.0 leaves behind, by whatever leaves the own range', () => {
    expect(dependentsOf({ core: 'minor' }, packages)).toEqual([
      { name: 'agents', type: 'minor', needs: ['core'] },
      { name: 'store', type: 'major', needs: ['core'] },
      { name: 'tools', type: 'minor', needs: ['agents'] },
    ])
  })

  it('raises a change that is planned but too small', () => {
    const planned = { core: 'minor', store: 'minor', agents: 'minor', tools: 'minor' }
    expect(dependentsOf(planned, packages)).toEqual([{ name: 'store', type: 'major', needs: ['core'] }])
  })

  it('returns nothing when ranges still contain the new versions', () => {
    expect(dependentsOf({ core: 'patch', tools: 'minor' }, packages)).toEqual([])
    expect(dependentsOf({ store: 'minor' }, [...packages, manifest('app', '0.1.0', `store@${range}`)])).toEqual([])
  })

  it('knows the packages that a dependent needs', () => {
    const both = [manifest('core', '0.1.0'), manifest('prompts', '0.1.0', `core@${range}`)]
    const agents = manifest('agents', '0.1.0', `core@${range}`, `prompts@${range}`)
    expect(dependentsOf({ core: 'minor' }, [...both, agents])).toContainEqual({
      name: 'agents',
      type: 'minor',
      needs: ['core', 'prompts'],
    })
  })
})

describe('secondCopies', () => {
  const first = [manifest('core', '0.1.0'), manifest('prompts', '0.1.0', 'core@^0.1.0')]

  it('finds nothing where updates stay inside of the ranges', () => {
    const patch = [manifest('core', '0.1.1'), first[1]!]
    const minor = [manifest('core', '0.2.0'), manifest('prompts', '0.2.0', 'core@^0.2.0')]
    expect(secondCopies([first, patch, minor])).toEqual([])
  })

  it('finds a dependent that an update takes to another version of the core', () => {
    const minor = [manifest('core', '0.2.0'), manifest('prompts', '0.1.1', 'core@^0.2.0')]
    expect(secondCopies([first, minor])).toEqual(['prompts 0.1.1 needs core ^0.2.0 beside 0.1.0'])
  })

  it('finds a new version of the core that nothing published needs', () => {
    expect(secondCopies([first, [manifest('core', '0.2.1'), first[1]!]])).toEqual([
      'prompts 0.1.0 needs core ^0.1.0 beside 0.2.1',
    ])
  })
})
