// Many numbers in CLIENT LIST ID, also such as the runtime's hash of numbers cannot tell apart.
using Xunit;

namespace Garnet.Server.Tests.Commands.Connection;

public sealed class ClientFilterIdTests
{
    [Fact]
    public void Numbers_chosen_to_collide_are_found_among_each_other()
    {
        using InProcessServer server = new();
        string own = server.Call("CLIENT", "ID").Trim(':', '\r', '\n');
        // Both halves are equal, so that the runtime's hash of each number is zero: in a hash table one chain of 100,000.
        IEnumerable<string> numbers = Enumerable
            .Range(1, 100_000)
            .Select(i => (((long)i << 32) | (uint)i).ToString(System.Globalization.CultureInfo.InvariantCulture));
        string reply = server.Call(["CLIENT", "LIST", "ID", .. numbers, own]);
        Assert.Contains($"id={own} ", reply, StringComparison.Ordinal);
    }
}
