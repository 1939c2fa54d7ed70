// One thread's session with a store in the comparison.
namespace Garnet.Microbenchmarks;

/// <summary>The operations that are compared.</summary>
internal interface IContenderSession : IDisposable
{
    /// <summary>Reads a value and returns its first eight bytes as a number; -1 if the key is absent.</summary>
    long Get(ReadOnlySpan<byte> key);

    /// <summary>Stores a value.</summary>
    void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value);

    /// <summary>Adds one to the first eight bytes of the value.</summary>
    void Increment(ReadOnlySpan<byte> key);
}
