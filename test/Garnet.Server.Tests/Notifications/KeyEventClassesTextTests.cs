// The letters of notify-keyspace-events.
using Garnet.Engine.Events;
using Xunit;

namespace Garnet.Server.Tests.Notifications;

public sealed class KeyEventClassesTextTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("KEA", "AKE")]
    [InlineData("AnmEK", "AKEm")] // A hides n
    [InlineData("nK", "nK")]
    [InlineData("g$lshzxetdKE", "AKE")]
    [InlineData("g$lshzxetKE", "g$lshzxetKE")]
    [InlineData("mExx", "xEm")]
    public void A_text_is_shown_in_the_usual_order(string text, string shown)
    {
        Assert.Null(KeyEventClassesText.Problem(text));
        Assert.Equal(shown, KeyEventClassesText.Normalize(text));
    }

    [Theory]
    [InlineData("a")]
    [InlineData("KEA ")]
    [InlineData("KEA\0")]
    public void Other_letters_are_refused(string text)
    {
        Assert.Equal("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.", KeyEventClassesText.Problem(text));
        Assert.Equal(text, KeyEventClassesText.Normalize(text));
    }
}
