/** Finds the numbers, from 1, of the lines that hold places. */
export function lineNumbers(text: string): (offset: number) => number {
  let starts: number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] as number) <= offset) low = middle + 1
      else high = middle
    }
    return low
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
  }
  return starts
}
