import type { Dict } from '@x/core'
import { outputInRelease } from '#python-line'
import { ToolOutputModel, type ToolOutputOptions } from '../generated/tool-output.ts'
import type { ContentPart, MessageContent } from '../messages/content-part.ts'
import { readBlocks } from '../messages/message-blocks.ts'
import { partsText } from '../messages/message-parts.ts'

/**
 * The output of a tool call.
 * @example
 * String(new ToolOutput({ toolName: 'add', content: '3' })) // => '3'
 */
export class ToolOutput extends ToolOutputModel {
  /**
   * Creates an output from parts. Its content is their text, with a line such as `[image image/png]` for each image and file.
   * @example
   * const url = 'data:image/png;base64,AAAA'
   * const parts = [{ type: 'text' as const, text: 'Done.' }, { type: 'image_url' as const, image_url: { url } }]
   * ToolOutput.fromParts({ toolName: 'draw', parts }).content // => 'Done.\n[image image/png]'
   */
  static fromParts(options: Omit<ToolOutputOptions, 'content'> & { parts: readonly ContentPart[] }): ToolOutput {
    // The constructor reports parts that are no array.
    const content = Array.isArray(options?.parts) ? partsText(options.parts) : ''
    return new ToolOutput({ ...options, content })
  }

  /** @internal */
  static inRelease(...args: Parameters<typeof outputInRelease>): Dict {
    return outputInRelease(...args)
  }

  protected static override wireForm(data: Dict): Dict {
    const read = data['blocks'] == null ? data : readBlocks('ToolOutput', data)
    const { content } = read
    if (read === data) return data
    if (!Array.isArray(content)) return { ...data, content: content ?? '' }
    return { ...data, content: partsText(content as ContentPart[]), parts: content }
  }

  /** Returns the content of the message for a model: the parts if there are any, else the string. */
  get modelContent(): MessageContent {
    return this.parts ?? this.content
  }

  /** Returns the content. */
  override toString(): string {
    return this.content
  }
}
