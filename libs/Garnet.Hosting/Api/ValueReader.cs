// Reads a value in place. Called on the calling thread.
namespace Garnet;

/// <summary>Receives a value; the bytes are valid only during the call.</summary>
public delegate void ValueReader<in TState>(ReadOnlySpan<byte> value, TState state)
    where TState : allows ref struct;
