import { IsInt, Matches, Max, Min } from 'class-validator';

/** Which version of which project to export; the payload of `export-pdf` and the body of the request that asks for it. */
export class ExportPdf {
  @Matches(/^[A-Za-z0-9-]{1,50}$/, { message: 'projectId must be 1–50 letters, digits or "-"' })
  readonly projectId: string;

  @IsInt()
  @Min(1)
  @Max(1_000_000)
  readonly version: number;
}
