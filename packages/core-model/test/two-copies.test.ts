import { describe, expect, it, vi } from 'vitest'
import { thrownBy } from '../../../tools/thrown.ts'
import * as core from '../src/index.ts'

describe('two copies of the package', async () => {
  vi.resetModules()
  const other = await import('../src/index.ts')

  it('are different classes', () => {
    expect(other.TextNode).not.toBe(core.TextNode)
    expect(new other.TextNode()).not.toBeInstanceOf(core.Model)
  })

  it('recognize each other’s models', () => {
    const node = new other.ImageNode({ id: 'a', imagePath: 'i.png' })
    expect(core.isModel(node)).toBe(true)
    expect(core.isNode(node)).toBe(true)
    expect(core.isInstance(node, core.ImageNode)).toBe(true)
    expect(core.isInstance(node, core.IndexNode)).toBe(false)
    expect(core.isInstance(new other.QueryBundle({ queryStr: 'q' }), core.TextNode)).toBe(false)
    expect(new core.NodeWithScore({ node }).toDict()['node']).toEqual(node.toDict())
    expect(new core.NodeWithScore({ node }).equals(new other.NodeWithScore({ node }))).toBe(true)
  })

  it('validate and copy each other’s instances', () => {
    const node = new other.ImageNode({ id: 'a', metadata: { m: 1 }, imagePath: 'i.png' })
    const result = core.TextNode.validate(node)
    expect(result).not.toBe(node)
    expect(result.equals(node)).toBe(true)
    result.metadata['m'] = 2
    expect(node.metadata).toEqual({ m: 1 })
    expect(new core.NodeWithScore({ node }).copy({ deep: true }).node.equals(node)).toBe(true)
  })

  it('recognize each other’s errors', () => {
    const error = thrownBy(() => new other.QueryBundle({} as never))
    expect(error).not.toBeInstanceOf(core.ModelValidationError)
    expect(core.isToolkitError(error, 'model_validation')).toBe(true)
    expect(core.isToolkitError(error, 'serialization')).toBe(false)
  })

  it('collect the issues of each other’s nested classes', () => {
    class Pair extends core.ChatResponse {
      static override nested(): ReturnType<typeof core.Model.nested> & { message: never[] } {
        return { message: [other.ChatMessage] } as never
      }
    }
    expect(thrownBy(() => new Pair({ message: { role: 'none' } as never, delta: 5 as never }))).toMatchObject({
      issues: [{ path: 'message.role' }, { path: 'delta' }],
    })
  })
})
