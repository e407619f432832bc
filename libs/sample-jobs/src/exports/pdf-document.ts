const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const FIRST_PAGE_OBJECT = 4;

/** The smallest PDF writer that does real work: one line of text on each page. */
export class PdfDocument {
  private readonly lines: string[] = [];

  addPage(line: string): void {
    this.lines.push(line.replaceAll(/[\\()]/g, String.raw`\$&`));
  }

  toBuffer(): Buffer {
    let text = '%PDF-1.4\n';
    const offsets: number[] = [];
    for (const [index, object] of this.objects().entries()) {
      offsets.push(text.length);
      text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    }
    return Buffer.from(text + crossReferences(offsets, text.length), 'latin1');
  }

  private objects(): readonly string[] {
    const kids = this.lines.map((_, index) => `${FIRST_PAGE_OBJECT + 2 * index} 0 R`);
    return [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`,
      FONT,
      ...this.lines.flatMap(pageObjects),
    ];
  }
}

function pageObjects(line: string, index: number): readonly string[] {
  const content = `BT /F1 14 Tf 72 770 Td (${line}) Tj ET`;
  const contentObject = FIRST_PAGE_OBJECT + 2 * index + 1;
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contentObject} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
}

function crossReferences(offsets: readonly number[], start: number): string {
  const size = offsets.length + 1;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  return (
    `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}` +
    `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  );
}
