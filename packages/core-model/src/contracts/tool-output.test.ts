import { describe, expect, it } from 'vitest'
import type { ContentPart } from '../messages/content-part.ts'
import { ToolOutput } from './tool-output.ts'

const parts: ContentPart[] = [
  { type: 'text', text: 'Drawn.' },
  { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
]

describe('ToolOutput', () => {
  it('passes its content to models and has the JSON of LlamaIndex for Python if it has no parts', () => {
    const output = new ToolOutput({ toolName: 'add', content: '3' })
    expect(output.modelContent).toBe('3')
    expect(output.toDict()).toEqual({
      content: '3',
      tool_name: 'add',
      raw_input: {},
      raw_output: null,
      is_error: false,
    })
  })

  it('passes its parts to models, has their text as content, and writes both', () => {
    const output = ToolOutput.fromParts({ toolName: 'draw', parts })
    expect(output.modelContent).toEqual(parts)
    expect(String(output)).toBe('Drawn.\n[image image/png]')
    const again = ToolOutput.fromDict(JSON.parse(JSON.stringify(output.toDict())))
    expect(again.equals(output)).toBe(true)
    expect(again.modelContent).toEqual(parts)
  })

  it('rejects parts that are not an array of objects', () => {
    const make = (parts: unknown) => () => new ToolOutput({ toolName: 'x', content: '', parts: parts as never })
    expect(make('text')).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(make(['text'])).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })
})
