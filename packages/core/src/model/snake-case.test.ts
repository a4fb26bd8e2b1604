import { expect, it } from 'vitest'
import { toSnakeCase } from './snake-case.ts'

it.each([
  ['label', 'label'],
  ['maxBooks', 'max_books'],
  ['aB', 'a_b'],
  ['imageURL', 'image_url'],
  ['useHTTPProxy', 'use_http_proxy'],
  ['URLPath', 'url_path'],
  ['s3Bucket', 's3_bucket'],
  ['useS3Bucket', 'use_s3_bucket'],
  ['isA', 'is_a'],
  ['_own', '_own'],
])('%s is %s on the wire', (name, wire) => {
  expect(toSnakeCase(name)).toBe(wire)
})
