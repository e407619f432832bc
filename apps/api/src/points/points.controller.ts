import { Controller, Get, UseGuards } from '@nestjs/common';
import { PointsBalance, type PointsReport } from 'sample-jobs';
import { TokenGuard } from '../token.guard.js';

/** Shows whether the points job has kept its promise. */
@Controller('points')
@UseGuards(TokenGuard)
export class PointsController {
  constructor(private readonly balance: PointsBalance) {}

  /** Whether each account holds exactly what the finished periods gave it. */
  @Get('balance')
  check(): Promise<PointsReport> {
    return this.balance.check();
  }
}
