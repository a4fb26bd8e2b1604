/** Output parsers that a case describes. */
import { BaseOutputParser } from '@x/core-model'
import { literal, optional, type Read, shape, string } from '../reader.ts'

export const parser = shape({
  prefix: optional(string),
  suffix: optional(string),
  parse: optional(literal('identity', 'upper', 'strip', 'length', 'object', 'throw')),
})

type ParserRecord = Read<typeof parser>

class DescribedParser extends BaseOutputParser {
  private readonly record: ParserRecord

  constructor(record: ParserRecord) {
    super()
    this.record = record
  }

  override format(query: string): string {
    return `${this.record.prefix ?? ''}${query}${this.record.suffix ?? ''}`
  }

  parse(output: string): unknown {
    switch (this.record.parse ?? 'identity') {
      case 'identity':
        return output
      case 'upper':
        return output.toUpperCase()
      case 'strip':
        return output.trim()
      case 'length':
        return output.length
      case 'object':
        return { value: output }
      case 'throw':
        throw new Error('parser failed')
    }
  }
}

export const parserOf = (record: ParserRecord): BaseOutputParser => new DescribedParser(record)
