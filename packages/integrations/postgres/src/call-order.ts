/**
 * @module
 * The order of the operations of one object: a write begins when all earlier operations have settled, a read when all earlier writes have.
 */

/** Runs the operations of one object in their order; reads may run at the same time. */
export class CallOrder {
  private writes: Promise<unknown> = Promise.resolve()
  private reads: Promise<unknown> = Promise.resolve()

  read<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.writes.then(operation)
    this.reads = Promise.allSettled([this.reads, result])
    return result
  }

  write<T>(operation: () => Promise<T>): Promise<T> {
    const result = Promise.all([this.writes, this.reads]).then(operation)
    this.writes = result.catch(() => {})
    return result
  }
}
