/** Operations of the core on the models of this package, which have defaults per instance and nested classes. */
import { boolean, fields, integer, nullable, string } from '@x/core/fields'
import { describe, expect, it } from 'vitest'
import { issuesOf, pathsOf } from '../../../tools/thrown.ts'
import { ChatMessage, ImageNode, NodeWithScore, TextNode } from '../src/index.ts'
import { describeRoundTrips } from './arbitrary-model.ts'

class CodeNode extends fields(TextNode, 'CodeNode', { language: string(), lines: nullable(integer({ minimum: 1 })) }) {
  loud() {
    return `${this.language}: ${this.text.toUpperCase()}`
  }
}

describe('own nodes', () => {
  describeRoundTrips({ CodeNode })
})

describe('the models of this package', () => {
  it('extends classes of this package', () => {
    const node = new CodeNode({ id: 'c', text: 'x', language: 'py', metadata: { page: 1 } })
    expect(node.loud()).toBe('py: X')
    expect(CodeNode.fromDict(node.toDict()).loud()).toBe('py: X')
    expect(node.toDict()).toMatchObject({ id_: 'c', language: 'py', lines: null, class_name: 'CodeNode' })
    expect(new CodeNode({ language: 'py' }).id).toHaveLength(36)
    class Note extends fields(ChatMessage, 'Note', { pinned: boolean({ default: false }) }) {}
    expect(new Note({ content: 'a' }).toDict()).toEqual({
      role: 'user',
      content: 'a',
      additional_kwargs: {},
      pinned: false,
    })
  })

  it('lists several classes of a field in anyOf', () => {
    const { properties, definitions } = NodeWithScore.schema()
    expect((properties!['node']!.anyOf ?? []).length).toBe(5)
    expect(Object.keys(definitions!).sort()).toEqual([
      'Document',
      'ImageDocument',
      'ImageNode',
      'IndexNode',
      'RelatedNodeInfo',
      'TextNode',
    ])
  })

  it('generates identifiers, like constructors', () => {
    expect(TextNode.construct({ text: 'a' }).id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('keeps the class and all fields of an instance of a subclass', () => {
    const image = new ImageNode({ id: 'a', imagePath: 'i.png' })
    const result = TextNode.validate(image)
    expect(result).toBeInstanceOf(ImageNode)
    expect(result.equals(image)).toBe(true)
  })

  it('reports all issues of a nested model', () => {
    const node = { text: 'a', embedding: Array(200_000).fill('x') }
    expect(issuesOf(() => new NodeWithScore({ node: node as never }))).toHaveLength(200_000)
  })

  it('calls spec and nested once per class, and makeDefault for each instance', () => {
    const asked: string[] = []
    class Numbered extends TextNode {
      static override spec() {
        asked.push('spec')
        return super.spec()
      }
      static override nested() {
        asked.push('nested')
        return super.nested()
      }
      static override makeDefault(field: string): unknown {
        asked.push(field)
        return super.makeDefault(field)
      }
    }
    const made = [new Numbered(), new Numbered()]
    expect(made[0]!.id).not.toBe(made[1]!.id)
    expect(asked.filter((what) => what === 'spec' || what === 'nested')).toEqual(['spec', 'nested'])
    expect(asked.filter((what) => what === 'id')).toHaveLength(2)
  })

  it('reject options that are not an object', () => {
    for (const options of ['text', 5, []]) expect(pathsOf(() => new TextNode(options as never))).toEqual([''])
  })
})
