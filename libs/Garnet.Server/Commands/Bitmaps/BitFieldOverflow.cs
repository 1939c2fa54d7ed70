// What BITFIELD does with a number that does not fit. Immutable.
namespace Garnet.Server.Commands.Bitmaps;

/// <summary>The OVERFLOW behaviours.</summary>
internal enum BitFieldOverflow : byte
{
    /// <summary>Drops the bits that do not fit.</summary>
    Wrap,

    /// <summary>Takes the nearest number that fits.</summary>
    Saturate,

    /// <summary>Changes nothing and replies null.</summary>
    Fail,
}
