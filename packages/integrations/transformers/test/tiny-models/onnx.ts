/**
 * Writes ONNX models: the few messages of the format that a small model needs, in protobuf's wire form.
 *
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */

/** A number, a string or bytes, or a message, under its field number. */
type Field = readonly [field: number, value: number | string | Uint8Array]

const varintType = 0
const lengthType = 2

/** The bytes of an integer, seven bits each. Negative ones have ten bytes. */
function varint(value: number): number[] {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 0x80 : low)
  } while (rest > 0n)
  return bytes
}

function message(...fields: readonly Field[]): Uint8Array {
  const parts = fields.flatMap(([field, value]): (Uint8Array | number[])[] => {
    if (typeof value === 'number') return [varint((field << 3) | varintType), varint(value)]
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
    return [varint((field << 3) | lengthType), varint(bytes.length), bytes]
  })
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

const elementTypes = { float: 1, int64: 7 } as const
/** The types of elements that the models use. */
export type ElementType = keyof typeof elementTypes

/** A constant of a model. */
export function tensor(
  name: string,
  type: ElementType,
  dims: readonly number[],
  values: readonly number[],
): Uint8Array {
  const data = type === 'float' ? Float32Array.from(values) : BigInt64Array.from(values, BigInt)
  return message(
    ...dims.map((size): Field => [1, size]),
    [2, elementTypes[type]],
    [8, name],
    [9, new Uint8Array(data.buffer)],
  )
}

/** An input or output of a model. A dimension that is a string may have any size. */
export function port(name: string, type: ElementType, dims: readonly (number | string)[]): Uint8Array {
  const shape = message(...dims.map((size): Field => [1, message([typeof size === 'number' ? 1 : 2, size])]))
  return message([1, name], [2, message([1, message([1, elementTypes[type]], [2, shape])])])
}

/** One operation. Its attributes are integers and lists of them. */
export function operation(
  name: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, number | readonly number[]>> = {},
): Uint8Array {
  return message(
    ...inputs.map((input): Field => [1, input]),
    [2, output],
    [3, `${name} ${output}`],
    [4, name],
    ...Object.entries(attributes).map(
      ([key, value]): Field => [
        5,
        typeof value === 'number'
          ? message([1, key], [3, value], [20, 2])
          : message([1, key], ...value.map((item): Field => [8, item]), [20, 7]),
      ],
    ),
  )
}

/** The parts of a model. */
export interface Graph {
  inputs: readonly Uint8Array[]
  constants: readonly Uint8Array[]
  operations: readonly Uint8Array[]
  outputs: readonly Uint8Array[]
}

/** A model file: version 8 of the format, version 13 of the operations. */
export function model({ inputs, constants, operations, outputs }: Graph): Uint8Array {
  const graph = message(
    ...operations.map((item): Field => [1, item]),
    [2, 'tiny'],
    ...constants.map((item): Field => [5, item]),
    ...inputs.map((item): Field => [11, item]),
    ...outputs.map((item): Field => [12, item]),
  )
  return message([1, 8], [2, 'tiny-models'], [7, graph], [8, message([1, ''], [2, 13])])
}
