// The text of --help, made from the option table. One thread, at start.
using System.Text;
using Garnet.Server.Configuration;

namespace GarnetServer;

/// <summary>Lists every option under its group with what it allows, its default and its other spellings.</summary>
internal static class HelpText
{
    private const int Width = 100;
    private const string Indent = "      ";

    public static string Build()
    {
        var text = new StringBuilder();
        text.AppendLine("garnet: a cache server that speaks RESP, so that Redis and Valkey clients work with it.");
        text.AppendLine();
        text.AppendLine("Usage: garnet [garnet.conf] [--option value ...]");
        text.AppendLine();
        text.AppendLine("An option may stand in the configuration file (option value), in the environment (GARNET_OPTION=value, with _ for -)");
        text.AppendLine("and on the command line (--option value); the later of these wins. Sizes take kb, mb and gb.");
        var defaults = new GarnetOptions();
        foreach (var group in OptionTable.All.GroupBy(option => option.Group))
        {
            text.AppendLine().Append(group.Key).AppendLine(":");
            if (group.Key == OptionGroup.Valkey)
            {
                AppendWrapped(text, "Taken and shown, so that files written for Valkey can be used, but without effect: " + string.Join(", ", group.Select(option => "--" + option.Name)) + ".");
                continue;
            }

            foreach (var option in group)
                Append(text, option, defaults);
        }
        text.AppendLine();
        text.AppendLine("  --check    first of all arguments: look through the files in dir without starting; exit code 1 when something is wrong");
        text.AppendLine("  --ping     first of all arguments: ask the server that runs with the same options; exit code 1 when it is not ready");
        text.AppendLine("  --help     this text");
        text.AppendLine("  --version  the version");
        return text.ToString();
    }

    private static void Append(StringBuilder text, OptionDescriptor option, GarnetOptions defaults)
    {
        text.Append("  --").Append(option.Name);
        bool fits = option.Name.Length + option.Allowed.Length <= Width;
        if (fits)
            text.Append("  ").AppendLine(option.Allowed);
        else
            AppendWrapped(text.AppendLine(), option.Allowed.Replace("|", " | ", StringComparison.Ordinal));
        string value = option.Format(defaults);
        string facts = option.Property == nameof(GarnetOptions.Dir) ? "the working directory" : value.Length == 0 ? "none" : value;
        string also = option.Aliases.Count == 0 ? "" : $" Also --{string.Join(", --", option.Aliases)}.";
        AppendWrapped(text, $"{option.Help}{also} Default: {facts}.");
    }

    private static void AppendWrapped(StringBuilder text, string sentence)
    {
        int column = 0;
        foreach (string word in sentence.Split(' '))
        {
            bool fresh = column == 0 || column + 1 + word.Length > Width;
            if (fresh && column > 0)
                text.AppendLine();
            text.Append(fresh ? Indent : " ").Append(word);
            column = fresh ? Indent.Length + word.Length : column + 1 + word.Length;
        }
        text.AppendLine();
    }
}
