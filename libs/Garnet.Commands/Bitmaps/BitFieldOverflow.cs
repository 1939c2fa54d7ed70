// What BITFIELD does on overflow. Immutable.
namespace Garnet.Commands.Bitmaps;

/// <summary>The OVERFLOW behaviours.</summary>
internal enum BitFieldOverflow : byte
{
    /// <summary>Wraps around: drops the bits that do not fit.</summary>
    Wrap,

    /// <summary>Uses the nearest number that fits.</summary>
    Saturate,

    /// <summary>Changes nothing and replies null.</summary>
    Fail,
}
