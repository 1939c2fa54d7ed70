// Options that CONFIG GET shows only to who names them. One thread.
using Garnet.Server.Configuration;
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Configuration;

public sealed class HiddenOptionsTests
{
    [Fact]
    public void A_pattern_does_not_show_them_and_their_name_does()
    {
        using InProcessServer server = new();
        string all = server.Call("CONFIG", "GET", "*");
        KeyValuePair<string, OptionDescriptor>[] hidden = [.. Pairs(isHidden: true)];
        Assert.Contains("key-load-delay", hidden.Select(static pair => pair.Key));
        foreach ((string name, OptionDescriptor option) in hidden)
        {
            Assert.DoesNotContain(Replies.Bulk(name), all, StringComparison.Ordinal);
            Assert.Equal("*0\r\n", server.Call("CONFIG", "GET", name[..^1] + "?"));
            Assert.Equal(Replies.Bulks(name, option.Format(new GarnetOptions())), server.Call("CONFIG", "GET", name));
        }

        foreach ((string name, _) in Pairs(isHidden: false))
            Assert.Contains(Replies.Bulk(name), all, StringComparison.Ordinal);
    }

    private static IEnumerable<KeyValuePair<string, OptionDescriptor>> Pairs(bool isHidden) =>
        OptionTable.Names.Where(pair => pair.Value.IsHidden == isHidden);
}
