// The changes of one CONFIG SET that concern options of modules. Used by one command.
using Garnet.Server.Modules;

namespace Garnet.Server.Commands.Config;

/// <summary>Checked before anything is changed, and made once the server's own options have been changed.</summary>
internal sealed class ModuleSettingChanges(ServerModules modules)
{
    private readonly List<(ModuleSetting Setting, string Value)> _changes = [];

    /// <summary>Why the changes are refused; null when they are not.</summary>
    public string? Problem { get; private set; }

    /// <summary>Takes a change of a module's option; false when no module has it.</summary>
    public bool TryAdd(string name, string value)
    {
        if (modules.FindSetting(name) is not { } setting)
            return false;
        string? problem = _changes.Exists(change => change.Setting == setting) ? "duplicate parameter" : setting.FindProblem(value);
        if (problem is not null)
            Problem ??= $"CONFIG SET failed (possibly related to argument '{name}') - {problem}";
        _changes.Add((setting, value));
        return true;
    }

    /// <summary>Makes the changes if the others succeed, and returns what is wrong with those.</summary>
    public async ValueTask<string?> ApplyAfterAsync(ValueTask<string?> others)
    {
        string? problem = await others.ConfigureAwait(false);
        if (problem is null)
        {
            foreach ((ModuleSetting setting, string value) in _changes)
                setting.Set(value);
        }

        return problem;
    }
}
