export interface ScoredFood {
  foodId: string;
  name: string;
  imageUrl: string;
  weight: number;
  unit: string;
  quantity: number;
  amount: number;
  currency: string;
  carbonImpactRating: number;
  healthImpactRating: number;
  co2e: number;
  totalPoints: number;
  totalCarbonPoints: number;
  totalHealthPoints: number;
}
