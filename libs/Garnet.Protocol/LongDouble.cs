// A number of the 80-bit extended format, in software. A plain value, owned by no thread.
using System.Numerics;

namespace Garnet.Protocol;

/// <summary>
/// The x87 extended format: 64-bit significand, 15-bit exponent, round to nearest even. INCRBYFLOAT and HINCRBYFLOAT add in it, and clients
/// see their results to the last digit, so that neither double nor decimal arithmetic can replace it. It provides only what those commands
/// need: conversion, addition, classification.
/// </summary>
internal readonly struct LongDouble
{
    // The value is Significand * 2^Exponent; normal numbers have the top bit set.
    internal const int MinExponent = -16445;
    internal const int MaxExponent = 16320;
    internal const int SignificandBits = 64;

    // Above the exponents of all finite numbers, so that comparing exponents suffices.
    private const int InfinityExponent = MaxExponent + 1;
    private const int NaNExponent = MaxExponent + 2;

    // Two significands are added with this many bits below the larger one's last; one bit above stays free for the carry.
    private const int GuardBits = 62;

    private LongDouble(bool isNegative, ulong significand, int exponent)
    {
        IsNegative = isNegative;
        Significand = significand;
        Exponent = exponent;
    }

    /// <summary>True for values below zero and for minus zero.</summary>
    public bool IsNegative { get; }

    /// <summary>True when the value is not a number.</summary>
    public bool IsNaN => Exponent == NaNExponent;

    /// <summary>True for both infinities.</summary>
    public bool IsInfinity => Exponent == InfinityExponent;

    /// <summary>True when the value is neither infinite nor NaN.</summary>
    public bool IsFinite => Exponent <= MaxExponent;

    /// <summary>True for both zeros.</summary>
    public bool IsZero => Significand == 0;

    internal ulong Significand { get; }

    internal int Exponent { get; }

    /// <summary>The exact value of an integer.</summary>
    public static LongDouble FromInteger(long value) =>
        Round(value < 0, value < 0 ? 0UL - (ulong)value : (ulong)value, 0, isInexact: false);

    /// <summary>The exact value of a double.</summary>
    public static LongDouble FromDouble(double value)
    {
        bool negative = double.IsNegative(value);
        if (double.IsNaN(value))
            return new LongDouble(false, 1, NaNExponent);
        if (double.IsInfinity(value))
            return Infinity(negative);
        ulong bits = BitConverter.DoubleToUInt64Bits(value);
        int exponent = (int)(bits >> 52) & 0x7FF;
        ulong significand = bits & ((1UL << 52) - 1);
        if (exponent == 0)
            exponent = 1;
        else
            significand |= 1UL << 52;
        return Round(negative, significand, exponent - 1075, isInexact: false);
    }

    /// <summary>The nearest double, or one next to it.</summary>
    public double ToDouble()
    {
        double magnitude =
            IsFinite ? Math.ScaleB(Significand, Exponent)
            : IsNaN ? double.NaN
            : double.PositiveInfinity;
        return IsNegative ? -magnitude : magnitude;
    }

    /// <summary>The rounded sum.</summary>
    public static LongDouble operator +(LongDouble left, LongDouble right)
    {
        if (!left.IsFinite || !right.IsFinite)
            return AddNonFinite(left, right);
        if (left.IsZero)
            return right.IsZero && left.IsNegative != right.IsNegative ? default : right;
        if (right.IsZero)
            return left;

        (ulong high, int highExponent) = left.Normalize();
        (ulong low, int lowExponent) = right.Normalize();
        bool highNegative = left.IsNegative;
        if (lowExponent > highExponent || (lowExponent == highExponent && low > high))
        {
            (high, low) = (low, high);
            (highExponent, lowExponent) = (lowExponent, highExponent);
            highNegative = right.IsNegative;
        }

        UInt128 sum = (UInt128)high << GuardBits;
        UInt128 addend = (UInt128)low << GuardBits;
        int shift = highExponent - lowExponent;
        bool inexact = shift >= 128 || (addend & ((UInt128.One << shift) - 1)) != 0;
        addend = shift >= 128 ? 0 : addend >> shift;
        if (left.IsNegative == right.IsNegative)
            sum += addend;
        else
            sum -= addend + (inexact ? UInt128.One : 0);
        return sum == 0 ? default : Round(highNegative, sum, highExponent - GuardBits, inexact);
    }

    /// <summary>An infinity.</summary>
    public static LongDouble Infinity(bool isNegative) => new(isNegative, 1, InfinityExponent);

    /// <summary>
    /// Rounds significand * 2^exponent, plus a remainder below its last bit when inexact (the significand must then have more than 65
    /// bits).
    /// </summary>
    internal static LongDouble Round(bool isNegative, UInt128 significand, int exponent, bool isInexact)
    {
        if (significand == 0)
            return new LongDouble(isNegative, 0, 0);
        int bits = 128 - (int)UInt128.LeadingZeroCount(significand);
        int drop = Math.Max(bits - SignificandBits, MinExponent - exponent);
        if (drop > bits)
            return new LongDouble(isNegative, 0, 0);
        if (drop <= 0)
        {
            // Exact: normalise as far as the smallest exponent allows.
            return Finish(isNegative, (ulong)significand << -drop, exponent + drop);
        }

        // If all 128 bits are dropped, only the comparison with one half matters.
        UInt128 kept = drop >= 128 ? 0 : significand >> drop;
        UInt128 half = UInt128.One << (drop - 1);
        UInt128 dropped = drop >= 128 ? significand : significand & ((half << 1) - 1);
        if (dropped > half || (dropped == half && (isInexact || (kept & 1) != 0)))
            kept++;
        exponent += drop;
        if (kept >> SignificandBits != 0)
        {
            kept >>= 1;
            exponent++;
        }
        return Finish(isNegative, (ulong)kept, exponent);
    }

    private static LongDouble Finish(bool isNegative, ulong significand, int exponent)
    {
        if (exponent > MaxExponent)
            return Infinity(isNegative);
        return new LongDouble(isNegative, significand, significand == 0 ? 0 : exponent);
    }

    private static LongDouble AddNonFinite(LongDouble left, LongDouble right)
    {
        if (left.IsNaN || (left.IsInfinity && right.IsInfinity && left.IsNegative != right.IsNegative))
            return new LongDouble(false, 1, NaNExponent);
        return left.IsInfinity && !right.IsNaN ? left : right;
    }

    private (ulong Significand, int Exponent) Normalize()
    {
        int up = BitOperations.LeadingZeroCount(Significand);
        return (Significand << up, Exponent - up);
    }
}
