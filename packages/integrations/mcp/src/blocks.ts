/**
 * @module
 * Converts content blocks of the protocol to content parts, and back.
 */
import { compactJson } from '@x/core/values'
import { type ContentPart, ToolOutput } from '@x/core-model'
import { readDataUrl } from '@x/core-model/data'
import type { McpBlock, McpResult } from './mcp-types.ts'

/** Returns the parts for the blocks of a result. */
export function partsOf(blocks: readonly McpBlock[]): ContentPart[] {
  return blocks.map((block): ContentPart => {
    const { type, text, data, mimeType = 'application/octet-stream', uri, name, resource } = block
    if (type === 'image' && data !== undefined)
      return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } }
    if (type === 'audio' && data !== undefined) return filePart(data, mimeType)
    if (resource?.blob !== undefined) return filePart(resource.blob, resource.mimeType ?? mimeType, resource.uri)
    if (resource) return { type: 'text', text: resource.text ?? resource.uri }
    if (type === 'resource_link') return { type: 'text', text: name ? `${name}: ${uri}` : String(uri) }
    return { type: 'text', text: text ?? `[${type}]` }
  })
}

function filePart(base64: string, mediaType: string, uri?: string): ContentPart {
  const filename = uri?.split(/[/\\]/).at(-1)
  return {
    type: 'file',
    file: { url: `data:${mediaType};base64,${base64}`, media_type: mediaType, ...(filename && { filename }) },
  }
}

/** Returns the blocks for the output of a tool. Images and files without their data become links. */
export function blocksOf({ content, modelContent }: ToolOutput): McpBlock[] {
  if (!Array.isArray(modelContent)) return [{ type: 'text', text: content }]
  return modelContent.map((part: ContentPart): McpBlock => {
    if (part.type === 'image_url') return dataBlock('image', part.image_url.url)
    if (part.type === 'file') return dataBlock('file', part.file.url, part.file.filename)
    return { type: 'text', text: part.text }
  })
}

function dataBlock(kind: 'image' | 'file', url: string, name: string = kind): McpBlock {
  const inline = readDataUrl(url)
  if (!inline) return { type: 'resource_link', uri: url, name }
  const { data, mediaType } = inline
  const mimeType = mediaType || 'application/octet-stream'
  if (kind === 'image') return { type: 'image', data, mimeType }
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType }
  return { type: 'resource', resource: { uri: `file:///${encodeURIComponent(name)}`, blob: data, mimeType } }
}

/** Returns the result of a call as the output of its tool. */
export function outputOf(result: unknown, toolName: string, rawInput: Record<string, unknown>): ToolOutput {
  const { content: sent = [], structuredContent: structured, isError = false } = Object(result) as McpResult
  const content = (Array.isArray(sent) ? sent : []).filter((block) => typeof Object(block).type === 'string')
  const rawOutput = structured ?? content
  const parts = partsOf(content)
  const common = { toolName, rawInput, rawOutput, isError }
  if (parts.some(({ type }) => type !== 'text')) return ToolOutput.fromParts({ ...common, parts })
  const text = parts.map((part) => ('text' in part ? part.text : '')).join('\n')
  const shown = text === '' && structured !== undefined ? compactJson(structured) : text
  return new ToolOutput({ ...common, content: isError ? `Error: ${shown}` : shown })
}
