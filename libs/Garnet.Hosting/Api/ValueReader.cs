// A reader of a value in place. Called on the thread that asked.
namespace Garnet;

/// <summary>Takes a value; the bytes are valid during the call only.</summary>
public delegate void ValueReader<in TState>(ReadOnlySpan<byte> value, TState state)
    where TState : allows ref struct;
