// The digits of a double: Florian Loitsch, "Printing Floating-Point Numbers Quickly and Accurately with Integers" (PLDI 2010), variant
// Grisu2. Stateless; any thread.
using System.Numerics;

namespace Garnet.Protocol;

/// <summary>
/// Digits that parse to the same double. They are the shortest such digits for nearly all values, not for all: the few longer ones are the
/// same as those of other servers of this protocol, which is why this variant is used and not .NET's own shortest form.
/// </summary>
internal static class Grisu2
{
    /// <summary>The maximum number of digits.</summary>
    public const int MaxDigits = 18;

    private const int MantissaBits = 52;
    private const ulong HiddenBit = 1UL << MantissaBits;
    private const int ExponentBias = 1023 + MantissaBits;

    // Powers of ten 10^-348, 10^-340, ... 10^340, each as 64-bit significand times a power of two.
    private const int FirstPower = -348;
    private const int PowerStep = 8;
    private const int PowerCount = 87;

    // The minimum binary exponent of a scaled number: its integer part then fits in 32 bits and its fraction has space for a multiplication
    // by ten.
    private const int MinScaledExponent = -60;
    private const int MaxScaledExponent = -32;
    private const double Log10Of2 = 0.30102999566398114;

    private static readonly (ulong Significand, int Exponent)[] Powers = ComputePowers();

    /// <summary>Computes digits and a power of ten with |value| = digits * 10^power. The value must be finite and not zero.</summary>
    /// <returns>The number of digits (as ASCII).</returns>
    public static int Digits(double value, Span<byte> digits, out int power)
    {
        ulong bits = BitConverter.DoubleToUInt64Bits(value);
        int biased = (int)((bits >> MantissaBits) & 0x7FF);
        ulong fraction = bits & (HiddenBit - 1);
        if (biased != 0)
            fraction += HiddenBit;
        int exponent = (biased == 0 ? 1 : biased) - ExponentBias;

        // The boundaries halfway to the neighbouring doubles; all three values are scaled to the upper boundary's exponent.
        ulong upper = (fraction << 1) + 1;
        int shift = BitOperations.LeadingZeroCount(upper);
        int scaleExponent = exponent - 1 - shift;
        upper <<= shift;
        int lowerShift = fraction == HiddenBit ? 2 : 1;
        ulong lower = ((fraction << lowerShift) - 1) << (exponent - lowerShift - scaleExponent);
        ulong middle = fraction << (exponent - scaleExponent);

        (ulong Significand, int Exponent) cached = FindPower(scaleExponent, out int decimalPower);
        middle = Multiply(middle, cached.Significand);
        upper = Multiply(upper, cached.Significand) - 1;
        lower = Multiply(lower, cached.Significand) + 1;
        power = -decimalPower;
        return Generate(middle, upper, lower, -(scaleExponent + cached.Exponent + 64), digits, ref power);
    }

    // The powers for the digits of a scaled number's integer part.
    private static ReadOnlySpan<uint> PowersOfTen => [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

    private static int Generate(ulong middle, ulong upper, ulong lower, int fractionBits, Span<byte> digits, ref int power)
    {
        ulong distance = upper - middle;
        ulong delta = upper - lower;
        ulong one = 1UL << fractionBits;
        uint integer = (uint)(upper >> fractionBits);
        ulong fraction = upper & (one - 1);
        int count = 0;

        // Starts at the first non-zero digit.
        ReadOnlySpan<uint> powers = PowersOfTen;
        int left = powers.Length - 1;
        while (left >= 0 && integer < powers[left])
            left--;
        for (; left >= 0; left--)
        {
            uint divisor = powers[left];
            (uint digit, integer) = Math.DivRem(integer, divisor);
            digits[count++] = (byte)('0' + digit);
            ulong rest = ((ulong)integer << fractionBits) + fraction;
            if (rest <= delta)
            {
                power += left;
                RoundLast(digits, count, delta, rest, (ulong)divisor << fractionBits, distance);
                return count;
            }
        }

        ulong unit = 1;
        for (int below = 1; ; below++)
        {
            fraction *= 10;
            delta *= 10;
            unit *= 10;
            ulong digit = fraction >> fractionBits;
            if (digit != 0 || count != 0)
                digits[count++] = (byte)('0' + digit);
            fraction &= one - 1;
            if (fraction < delta)
            {
                power -= below;
                RoundLast(digits, count, delta, fraction, one, distance * unit);
                return count;
            }
        }
    }

    // Decrements the last digit while that comes closer to the value and stays inside the boundaries.
    private static void RoundLast(Span<byte> digits, int count, ulong delta, ulong rest, ulong step, ulong distance)
    {
        while (rest < distance && delta - rest >= step && (rest + step < distance || distance - rest > rest + step - distance))
        {
            digits[count - 1]--;
            rest += step;
        }
    }

    private static ulong Multiply(ulong left, ulong right)
    {
        ulong high = Math.BigMul(left, right, out ulong low);
        return high + (low >> 63);
    }

    private static (ulong Significand, int Exponent) FindPower(int exponent, out int decimalPower)
    {
        int approximate = (int)(-(exponent + PowerCount) * Log10Of2);
        int index = (approximate - FirstPower) / PowerStep;
        while (true)
        {
            int scaled = exponent + Powers[index].Exponent + 64;
            if (scaled < MinScaledExponent)
            {
                index++;
            }
            else if (scaled > MaxScaledExponent)
            {
                index--;
            }
            else
            {
                decimalPower = FirstPower + index * PowerStep;
                return Powers[index];
            }
        }
    }

    private static (ulong Significand, int Exponent)[] ComputePowers()
    {
        var powers = new (ulong, int)[PowerCount];
        for (int i = 0; i < PowerCount; i++)
        {
            int power = FirstPower + i * PowerStep;
            var magnitude = BigInteger.Pow(10, Math.Abs(power));
            int bits = (int)magnitude.GetBitLength();

            // 10^power * 2^-exponent lies in [2^63, 2^64) and is rounded to nearest.
            int exponent = power >= 0 ? bits - 64 : -bits - 63;
            BigInteger doubled =
                power >= 0
                    ? (exponent > 0 ? magnitude >> (exponent - 1) : magnitude << (1 - exponent))
                    : (BigInteger.One << (1 - exponent)) / magnitude;
            BigInteger rounded = (doubled + 1) >> 1;
            powers[i] = ((ulong)rounded, exponent);
        }
        return powers;
    }
}
