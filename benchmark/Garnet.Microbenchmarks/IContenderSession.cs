// One thread's use of a store under comparison.
namespace Garnet.Microbenchmarks;

/// <summary>The operations compared.</summary>
internal interface IContenderSession : IDisposable
{
    /// <summary>Reads a value and gives its first eight bytes as a number; -1 when the key is missing.</summary>
    long Get(ReadOnlySpan<byte> key);

    /// <summary>Stores a value.</summary>
    void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value);

    /// <summary>Adds one to the first eight bytes of the value.</summary>
    void Increment(ReadOnlySpan<byte> key);
}
