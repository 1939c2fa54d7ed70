// Collects the visited elements. For tests.
using Garnet.Store.Collections;

namespace Garnet.Store.Tests.Collections;

/// <summary>Copies every visited element.</summary>
internal readonly struct CollectingVisitor(List<byte[]> elements) : IElementVisitor
{
    public List<byte[]> Elements => elements;

    public void Visit(ReadOnlySpan<byte> element) => elements.Add(element.ToArray());
}
