// The outcome of reading a key without a latch. Immutable.
namespace Garnet.Modules;

/// <summary>What a read without a latch found.</summary>
public enum ReadResult
{
    /// <summary>The key, field or element exists, and its value was read.</summary>
    Found = 0,

    /// <summary>There is no such key, field or element.</summary>
    Missing = 1,

    /// <summary>The key holds a value of another type.</summary>
    WrongType = 2,

    /// <summary>The value does not fit the destination, or is no number.</summary>
    Unfit = 3,
}
