/** Finds the numbers, from 1, of the lines that hold places, which are best asked for in ascending order. */
export function lineNumbers(text: string): (offset: number) => number {
  let line = 1
  let at = 0
  return (offset) => {
    if (offset < at) {
      line = 1
      at = 0
    }
    for (; at < offset; at++) {
      const code = text.charCodeAt(at)
      if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) line++
    }
    return line
  }
}
