// URIs of servers, and what is none.
using Xunit;

namespace Garnet.Client.Tests;

public sealed class ServerUriTests
{
    [Theory]
    [InlineData("redis://", null, null, false, null, null, null)]
    [InlineData("redis://h", "h", null, false, null, null, null)]
    [InlineData("REDISS://u:p%40w@h:1/7", "h", 1, true, "u", "p@w", 7)]
    [InlineData("valkey://pw@[::1]:5/", "::1", 5, false, null, "pw", null)]
    [InlineData("garnets://:p@", null, null, true, null, "p", null)]
    public void Parts_are_read(string text, string? host, int? port, bool tls, string? user, string? password, int? database)
    {
        var uri = ServerUri.Parse(text);
        Assert.Equal((host, port, tls), (uri.Host, uri.Port, uri.UsesTls));
        Assert.Equal((user, password, database), (uri.User, uri.Password, uri.Database));
        Assert.Null(uri.Service);
    }

    [Fact]
    public void A_socket_and_a_service_are_read()
    {
        Assert.Equal("/run/a b", ServerUri.Parse("unix:///run/a%20b").SocketPath);
        var uri = ServerUri.Parse("sentinels://u:p@a,b:1/main/2");
        Assert.Equal([("a", null), ("b", 1)], uri.Sentinels);
        Assert.Equal(("main", 2, true, "p"), (uri.Service, uri.Database, uri.UsesTls, uri.Password));
    }

    [Theory]
    [InlineData("h:6379", "Invalid URI scheme")]
    [InlineData("http://u:secret@h", "Invalid URI scheme")]
    [InlineData("redis://u:secret@h:x", "Invalid port 'x'")]
    [InlineData("redis://u:secret@h:70000", "Invalid port '70000'")]
    [InlineData("redis://u:secret@h/x", "Invalid database 'x'")]
    [InlineData("redis://u:secret%4@h", "Illegal character")]
    [InlineData("redis://u:secret%@h", "Incomplete URI encoding")]
    [InlineData("sentinel://h", "Invalid URI of a service")]
    public void What_is_none_is_explained_without_its_password(string text, string message)
    {
        FormatException failure = Assert.Throws<FormatException>(() => ServerUri.Parse(text));
        Assert.Contains(message, failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", failure.Message, StringComparison.Ordinal);
    }
}
