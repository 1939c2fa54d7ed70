// Receives the elements that a scan visits. Called under the latch.
namespace Garnet.Store.Collections;

/// <summary>Receives members or fields.</summary>
internal interface IElementVisitor
{
    /// <summary>Receives one element; the span is valid only during the call.</summary>
    void Visit(ReadOnlySpan<byte> element);
}
