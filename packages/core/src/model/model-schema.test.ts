import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { Book, Format, fullOptions } from '../../test/sample-models.ts'
import { anything, component, nested } from '../define.ts'
import { modelSpec } from '../field-specs.ts'
import * as core from '../index.ts'
import type { ModelClass } from './model.ts'
import { Model } from './model.ts'

describe('schema', () => {
  it('describes the wire form with bounds, defaults, enumerations and nested models', () => {
    expect(Book.schema()).toMatchInlineSnapshot(`
      {
        "definitions": {
          "Author": {
            "description": "Who wrote it.",
            "properties": {
              "born": {
                "type": [
                  "integer",
                  "null",
                ],
              },
              "class_name": {
                "default": "Author",
                "title": "Class Name",
                "type": "string",
              },
              "links": {
                "type": "object",
              },
              "name": {
                "type": "string",
              },
            },
            "required": [
              "name",
            ],
            "title": "Author",
            "type": "object",
          },
          "Format": {
            "description": "How it is bound.",
            "properties": {
              "cover": {
                "default": "soft",
                "enum": [
                  "hard",
                  "soft",
                ],
                "type": "string",
              },
            },
            "title": "Format",
            "type": "object",
          },
        },
        "description": "A book.",
        "properties": {
          "authors": {
            "items": {
              "$ref": "#/definitions/Author",
            },
            "type": "array",
          },
          "class_name": {
            "default": "Book",
            "title": "Class Name",
            "type": "string",
          },
          "editor": {
            "$ref": "#/definitions/Author",
          },
          "extra": {},
          "formats": {
            "additionalProperties": {
              "$ref": "#/definitions/Format",
            },
            "type": "object",
          },
          "in_print": {
            "default": true,
            "type": "boolean",
          },
          "isbn_no": {
            "type": [
              "string",
              "null",
            ],
          },
          "kind": {
            "default": "novel",
            "enum": [
              "novel",
              "essay",
            ],
            "type": "string",
          },
          "notes": {
            "type": "object",
          },
          "page_count": {
            "default": 100,
            "minimum": 1,
            "type": "integer",
          },
          "rating": {
            "exclusiveMinimum": 0,
            "maximum": 5,
            "type": [
              "number",
              "null",
            ],
          },
          "reader": {},
          "tags": {
            "items": {
              "type": "string",
            },
            "type": "array",
          },
          "title": {
            "description": "On the cover.",
            "type": "string",
          },
        },
        "required": [
          "title",
        ],
        "title": "Book",
        "type": "object",
      }
    `)
  })

  it('writes API names on request', () => {
    const { properties, required } = Book.schema({ byAlias: false })
    expect(Object.keys(properties!)).toEqual([
      ...Object.keys(Book.spec().fields).filter((name) => name !== 'onSale'),
      'class_name',
    ])
    expect(required).toEqual(['title'])
  })

  it('inserts any name of a nested model into refTemplate', () => {
    expect(Book.schema({ refTemplate: 'x/{model}.json' }).properties!['editor']).toMatchObject({
      $ref: 'x/Author.json',
    })
    const spec = modelSpec(JSON.parse(JSON.stringify(component('A$&', '', { child: nested({ required: false }) }))))
    class Tree extends Model {
      static override spec() {
        return spec
      }
      static override nested(): Record<string, ModelClass[]> {
        return { child: [Tree] }
      }
    }
    expect(Tree.schema().properties!['child']).toEqual({ $ref: '#/definitions/A$&' })
    expect(Object.keys(Tree.schema().definitions!)).toEqual(['A$&'])
  })

  it('returns a new object on every call, at every depth', () => {
    const before = Book.schemaJson()
    const schema = Book.schema()
    delete schema.properties!['title']
    ;(schema.properties!['kind']!.enum as unknown[]).push('poem')
    delete schema.definitions!['Author']!.properties!['name']
    expect(Book.schemaJson()).toBe(before)
  })

  it('is written as a JSON string, with optional indentation', () => {
    expect(JSON.parse(Format.schemaJson())).toEqual(Format.schema())
    expect(Format.schemaJson({ indent: 2 })).toBe(JSON.stringify(Format.schema(), null, 2))
  })

  it('omits an empty `required`, and class_name for records', () => {
    expect(Format.schema()).toEqual({
      title: 'Format',
      description: 'How it is bound.',
      type: 'object',
      properties: { cover: { type: 'string', enum: ['hard', 'soft'], default: 'soft' } },
    })
  })

  it('writes unknown types as {}', () => {
    const spec = modelSpec(JSON.parse(JSON.stringify(component('Any', '', { value: anything() }))))
    class Any extends Model {
      static override spec() {
        return spec
      }
    }
    expect(Any.schema().properties!['value']).toEqual({})
  })
})

// ajv needs `new Function`.
describe('the schema of each model class', { tags: 'system' }, () => {
  const classes = Object.entries({ ...core, Book }).filter(
    ([, value]) => typeof value === 'function' && value.prototype instanceof Model,
  ) as [string, typeof Model][]

  it.each(classes)('%s is valid JSON Schema, names class_name last, and never throws', (_, modelClass) => {
    const schema = modelClass.schema()
    expect(new Ajv({ strict: false }).validateSchema(schema)).toBe(true)
    expect(Object.keys(schema.properties!).at(-1) === 'class_name').toBe(modelClass.spec().record !== true)
  })

  it('accepts the wire form of the class', () => {
    const validate = new Ajv({ strict: false }).compile(Book.schema())
    expect(validate(new Book({ ...fullOptions() }).toDict())).toBe(true)
    expect(validate({ page_count: 0 })).toBe(false)
  })
})
