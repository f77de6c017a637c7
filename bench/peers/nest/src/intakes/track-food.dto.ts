import { Type } from "class-transformer";
import {
  IsISO4217CurrencyCode,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from "class-validator";

export class NutritionDto {
  @IsOptional() @IsNumber() @Min(0) energyKcal?: number;
  @IsOptional() @IsNumber() @Min(0) proteinG?: number;
  @IsOptional() @IsNumber() @Min(0) carbsG?: number;
  @IsOptional() @IsNumber() @Min(0) fatG?: number;
  @IsOptional() @IsNumber() @Min(0) sugarG?: number;
  @IsOptional() @IsNumber() @Min(0) fiberG?: number;
  @IsOptional() @IsNumber() @Min(0) saltG?: number;
  @IsOptional() @IsNumber() @Min(0) saturatedFatG?: number;
  @IsOptional() @IsNumber() @Min(0) @Max(100) fruitsVegetablesLegumesPct?: number;
}

export class MerchantDto {
  @IsString() @IsNotEmpty() @MaxLength(255) name: string;
  @IsOptional() @IsString() @MaxLength(2048) logo?: string;
  @IsOptional() @IsString() @MaxLength(2048) website?: string;
  @IsOptional() @IsString() @MaxLength(255) domain?: string;
  @IsOptional() @IsString() @MaxLength(255) country?: string;
}

export class TrackFoodDto {
  @IsUUID() userId: string;
  @IsString() @IsNotEmpty() @MaxLength(255) transactionId: string;
  @IsString() @IsNotEmpty() @MaxLength(255) foodId: string;
  @IsString() @IsNotEmpty() @MaxLength(255) name: string;
  @IsString() @IsNotEmpty() @MaxLength(2048) imageUrl: string;
  @IsObject() @ValidateNested() @Type(() => MerchantDto) merchant: MerchantDto;
  @IsNumber() @Min(1e-6) @Max(1e6) weight: number;
  @IsString() @IsNotEmpty() @MaxLength(255) unit: string;
  @IsObject() @ValidateNested() @Type(() => NutritionDto) nutrition: NutritionDto;
  @IsOptional() @IsNumber() @Min(1e-3) @Max(1e4) quantity?: number;
  @IsOptional() @IsNumber() @Min(0) @Max(1e9) amount?: number;
  @IsOptional() @IsISO4217CurrencyCode() currency?: string;
}
