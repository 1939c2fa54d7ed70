// Many numbers in CLIENT LIST ID, including numbers with equal hash codes in the runtime.
using Xunit;

namespace Garnet.Server.Tests.Commands.Connection;

public sealed class ClientFilterIdTests
{
    [Fact]
    public void Numbers_with_colliding_hashes_are_found()
    {
        using InProcessServer server = new();
        string own = server.Call("CLIENT", "ID").Trim(':', '\r', '\n');
        // Both halves are equal, so the runtime's hash code of each number is zero: in a hash table, one chain of 100,000.
        IEnumerable<string> numbers = Enumerable
            .Range(1, 100_000)
            .Select(i => (((long)i << 32) | (uint)i).ToString(System.Globalization.CultureInfo.InvariantCulture));
        string reply = server.Call(["CLIENT", "LIST", "ID", .. numbers, own]);
        Assert.Contains($"id={own} ", reply, StringComparison.Ordinal);
    }
}
