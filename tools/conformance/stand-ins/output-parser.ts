/** Output parsers that a case describes. */
import { BaseOutputParser } from '@x/core-model'
import { named } from '../given.ts'

export interface ParserRecord {
  prefix?: string
  suffix?: string
  parse?: string
}

const parsers: Readonly<Record<string, (output: string) => unknown>> = {
  identity: (output) => output,
  upper: (output) => output.toUpperCase(),
  strip: (output) => output.trim(),
  length: (output) => output.length,
  object: (value) => ({ value }),
  throw: () => {
    throw new Error('parser failed')
  },
}

class DescribedParser extends BaseOutputParser {
  override readonly parse: (output: string) => unknown
  private readonly record: ParserRecord

  constructor(record: ParserRecord) {
    super()
    this.record = record
    this.parse = named(parsers, record.parse ?? 'identity')
  }

  override format(query: string): string {
    return `${this.record.prefix ?? ''}${query}${this.record.suffix ?? ''}`
  }
}

export const parserOf = (record: ParserRecord): BaseOutputParser => new DescribedParser(record)
