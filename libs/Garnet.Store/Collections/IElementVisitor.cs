// What a caller does with the elements that a scan meets. Called under the latch.
namespace Garnet.Store.Collections;

/// <summary>Takes members or fields.</summary>
public interface IElementVisitor
{
    /// <summary>Takes one; valid only during the call.</summary>
    void Visit(ReadOnlySpan<byte> element);
}
